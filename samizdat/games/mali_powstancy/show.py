"""stub"""
FIGURES = {}
