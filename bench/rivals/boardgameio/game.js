// A game of our own for boardgame.io, as much like A War of Whispers as a load test can tell: four seats, a hand of five
// cards that nobody else sees, a deck that nobody sees, fifteen regions on which everybody has pieces. One decision
// plays a card: pieces are placed and moved, a region is counted anew, a card is drawn. The first card of a hand is
// always playable, so that whoever makes the load need not read the state.
import core from "boardgame.io/dist/cjs/core.js";

const { INVALID_MOVE } = core;

const SEATS = 4;
const HAND = 5;
const REGIONS = 15;
const PLAYS = 160; // decisions of a match
const CARDS = PLAYS + SEATS * HAND;

const card = (number) => ({
  id: `card-${number}`,
  region: (number * 7) % REGIONS,
  strength: 1 + (number % 3),
  from: (number * 11) % REGIONS,
  text: "Place pieces where the card says, then move as many from the other region.",
});

function count(region) {
  const most = Math.max(...region.pieces);
  const first = region.pieces.filter((pieces) => pieces === most);
  region.control = first.length === 1 ? region.pieces.indexOf(most) : null;
}

export const game = {
  name: "precincts",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  setup: ({ random }) => {
    const deck = random.Shuffle(Array.from({ length: CARDS }, (_, number) => card(number)));
    return {
      regions: Array.from({ length: REGIONS }, (_, number) => ({
        name: `Region ${number}`,
        pieces: Array.from({ length: SEATS }, () => 2),
        control: null,
        crown: number % 4 === 0,
      })),
      hands: Array.from({ length: SEATS }, () => deck.splice(0, HAND)),
      loyalties: random.Shuffle(["red", "blue", "green", "brown", "yellow"]),
      deck,
      discard: [],
      points: Array.from({ length: SEATS }, () => 0),
      plays: 0,
    };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    // On the server alone: a card is drawn from a deck that no client has.
    play: {
      client: false,
      move: ({ G, playerID }, index, extra) => {
        const hand = G.hands[playerID];
        if (!Number.isInteger(index) || index < 0 || index >= hand.length) return INVALID_MOVE;
        if (!Number.isInteger(extra) || extra < 0 || extra >= REGIONS) return INVALID_MOVE;
        const [played] = hand.splice(index, 1);
        const [to, from] = [G.regions[played.region], G.regions[played.from]];
        to.pieces[playerID] += played.strength;
        const moved = Math.min(from.pieces[playerID], played.strength);
        from.pieces[playerID] -= moved;
        G.regions[extra].pieces[playerID] += moved;
        for (const region of [to, from, G.regions[extra]]) count(region);
        G.discard = [played, ...G.discard].slice(0, 8); // what lies open: our boards show about as much
        if (G.deck.length) hand.push(G.deck.shift());
        G.plays += 1;
        if (G.plays % SEATS === 0)
          for (const region of G.regions) if (region.control !== null) G.points[region.control] += region.crown ? 2 : 1;
      },
    },
  },
  // What a seat may know: its own hand, how many cards the others have, its own loyalty.
  playerView: ({ G, playerID }) => {
    const { deck, hands, loyalties, ...open } = G;
    return {
      ...open,
      deck: deck.length,
      hands: hands.map((hand, seat) => (String(seat) === playerID ? hand : hand.length)),
      loyalty: playerID === null ? null : loyalties[Number(playerID)],
    };
  },
  endIf: ({ G }) => (G.plays === PLAYS ? { points: G.points } : undefined),
};
