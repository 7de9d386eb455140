"""A War of Whispers: what the abilities of the cards do, in words."""

from __future__ import annotations

from samizdat.kernel.telling import Phrase

# What each ability does, as it stands on the cards (in our words), by its id.
EFFECTS: dict[str, Phrase] = {
    "press_on": Phrase("After your attack: attack again with the survivors."),
    "change_of_court": Phrase(
        "Before acting: move the active agent to any free seat and take an action there instead."
    ),
    "vanguard": Phrase("During your attack: add 1 banner from the reserve."),
    "another_voice": Phrase("Before acting: take an action of another seat you control instead."),
    "forced_march": Phrase("Move any banners of the active empire from one of its regions to another."),
    "scorched_earth": Phrase("After your attack: every banner that fought in it is destroyed."),
    "swoop": Phrase("Your attack may go to any empty region of another empire."),
    "grand_vanguard": Phrase("During your attack: add 3 banners from the reserve."),
    "city_garrison": Phrase("Add 3 banners to a region with a city."),
    "redeployment": Phrase("Rearrange the banners of one empire within its regions."),
    "mercenaries": Phrase("Destroy up to 3 banners in one region."),
    "recruit": Phrase("Add 3 banners to an empty region."),
    "subjugate": Phrase("After your attack: add 1 banner for each enemy banner destroyed."),
    "dispersal": Phrase("All banners of one region move to regions of their empire next to it."),
    "alchemists_fire": Phrase("Destroy up to 5 enemy banners around one of your banners."),
    "populate": Phrase("Add 1 banner to each region of the active empire."),
    "armada": Phrase("Your attack may go to any region of another empire, over water too."),
    "reinforcements": Phrase("During your attack: add up to 6 banners from one of the empire's regions."),
    "uprising": Phrase("Add 4 banners to an empty region without city or fortress."),
    "midnight_oil": Phrase("After an action: take the same action again."),
}
