import Foundation
import MultipeerConnectivity

/// A game as it is played: with its opponent, its records and what is shown of it.
struct MatchState {
    var game = Game()
    var opponent: MCPeerID?
    var screen = Match.Screen()
    var random: PlayersRandom
    /// Whether the end of the game was reported.
    var isReported = false
    private let records: GameRecords?
    /// Whether this side has invited, and so has offered to go on with its record.
    private let isInviting: Bool
    private var offer: GameRecords.Unfinished?
    /// Whether a game goes on of which the other side has not shown yet that it goes on with it too.
    private var isProvisional = false

    init(random: any RandomNumberGenerator, records: GameRecords?, isInviting: Bool) {
        (self.random, self.records, self.isInviting) = (PlayersRandom(base: random), records, isInviting)
    }

    /// Handles an input, keeps the game, and brings the screen up to date.
    mutating func handle(_ input: Match.Input) -> [Game.Effect] {
        let effects = effects(of: input)
        if let opponent, let records {
            do { try records.keep(game, against: opponent.displayName) } catch { note("not stored: \(error)") }
        }
        screen.label = game.label
        screen.pieces = Board.squares.map { game.board[$0] }
        screen.opponent = opponent?.displayName
        screen.isOwnTurn = game.state == .myTurn
        screen.offersNewGame = game.offersNewGame
        if game.state != .done { isReported = false }
        return effects
    }

    mutating func note(_ text: String) { screen.notes = screen.notes.suffix(19) + [text] }

    private mutating func effects(of input: Match.Input) -> [Game.Effect] {
        switch input {
        case .connected(let peer):
            guard opponent == nil else { return [] }
            opponent = peer
            screen.alert = []
            return resume() ?? begin()
        case .offered(let unfinished):
            offer = unfinished
            return []
        case .packet(let packet):
            let effects = receive(packet)
            isProvisional = false
            return effects
        case .unreadable(let reason):
            note("refused: \(reason)")
            return []
        case .touch(let square): return game.touch(square)
        case .newGame:
            // Until an opponent is there nothing is left to say.
            if opponent == nil { (screen.alert, game) = ([], Game()) }
            return []
        case .beginning: return opponent == nil ? [] : begin()
        case .left(let isDeliberate):
            opponent = nil
            return game.disconnect(isDeliberate: isDeliberate)
        }
    }

    private mutating func begin() -> [Game.Effect] {
        let number = roll()
        return game.begin { number }
    }

    private mutating func roll() -> Int { Int(UInt64.random(in: 0...999_999, using: &random)) }

    private mutating func receive(_ packet: Packet) -> [Game.Effect] {
        let isNewGame = isProvisional && (packet.type == .reset || packet.type == .dieRoll)
        let beginning = isNewGame ? begin() : []
        let number = roll()
        return beginning + game.receive(packet) { number }
    }

    /// Goes on with the game that both sides have kept. Who was invited knows both records, and sends the moves that the other lacks; who
    /// has invited waits: an opponent that begins a new game says so.
    private mutating func resume() -> [Game.Effect]? {
        guard let opponent, let own = try? records?.unfinished(against: opponent.displayName) else { return nil }
        let rolls = (own: own.ownRoll, other: own.otherRoll)
        if isInviting {
            isProvisional = game.resume(own.moves, as: own.piece, rolls: rolls)
            return isProvisional ? [] : nil
        }
        guard let offer, own.isSameGame(as: offer) else { return nil }
        let moves = own.moves.count > offer.moves.count ? own.moves : offer.moves
        guard game.resume(moves, as: own.piece, rolls: rolls) else { return nil }
        return moves.dropFirst(offer.moves.count).map { .send(.move($0)) }
    }
}

/// The numbers of one player, wherever they come from.
struct PlayersRandom: RandomNumberGenerator {
    var base: any RandomNumberGenerator

    mutating func next() -> UInt64 { base.next() }
}
