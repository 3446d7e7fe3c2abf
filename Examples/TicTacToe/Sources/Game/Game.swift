/// One side of a game: what comes in changes it, and what is to be done comes out. It knows neither networks, nor clocks, nor screens.
struct Game: Equatable, Sendable {
    enum State: String, Sendable {
        case beginning, rollingDice, myTurn, opponentTurn, interrupted, done
    }

    /// What the program is to do.
    enum Effect: Equatable, Sendable {
        case send(Packet)
        /// Calls ``Game/begin(rolling:)`` after so many seconds.
        case beginAfter(Double)
        case alert(title: String, message: String, button: String)
        /// The other side did what the rules do not allow; it was ignored.
        case refused(String)
    }

    /// Seconds between the end of a game and the next.
    static let pause = 3.0

    private(set) var state = State.beginning
    private(set) var board = Board()
    private(set) var piece: Board.Piece?
    /// The squares of the moves, in their order.
    private(set) var moves: [Int] = []
    /// The rolls that have decided who begins; nil before.
    private(set) var rolls: (own: Int, other: Int)?

    /// The own roll; nil if not rolled, which no roll is equal to.
    private var ownRoll: Int?
    private var isOwnRollKnown = false
    /// Rolls of the other side that no round has used yet: after a tie the next may come before the word that ours came.
    private var otherRolls: [Int] = []
    /// Whether the other side has begun the next game, while this side still looks at the last.
    private var hasOtherBegun = false

    static func == (left: Game, right: Game) -> Bool {
        left.state == right.state && left.board == right.board && left.piece == right.piece && left.moves == right.moves
            && left.ownRoll == right.ownRoll && left.isOwnRollKnown == right.isOwnRollKnown
            && left.otherRolls == right.otherRolls && left.hasOtherBegun == right.hasOtherBegun
    }

    // MARK: What is shown

    var label: String {
        switch state {
        case .beginning, .interrupted: ""
        case .rollingDice: "Rolling Dice"
        case .myTurn: "Your Turn"
        case .opponentTurn: "Opponent's Turn"
        case .done:
            switch board.winner {
            case nil: "Cat Wins!"
            case piece: "You Won!"
            default: "Opponent Won!"
            }
        }
    }

    /// Whether the button New Game is there.
    var offersNewGame: Bool { state == .beginning || state == .interrupted }

    // MARK: Beginning

    /// Begins a game with a peer that is connected, by a roll from 0 to 999,999.
    mutating func begin(rolling roll: () -> Int) -> [Effect] {
        // A roll of the other side for this game may have come while the last was on the board.
        if !hasOtherBegun, state == .done { otherRolls = [] }
        (board, piece, moves, rolls, hasOtherBegun) = (Board(), nil, [], nil, false)
        state = .rollingDice
        return [.send(.reset)] + self.roll(roll())
    }

    /// Goes on with a game that both sides have kept.
    mutating func resume(_ moves: [Int], as piece: Board.Piece, rolls: (own: Int, other: Int)) -> Bool {
        var board = Board()
        var next = Board.Piece.o
        for move in moves {
            guard !board.isOver, board.put(next, on: move) else { return false }
            next = next.other
        }
        guard !board.isOver else { return false }
        (self.board, self.moves, self.piece, self.rolls) = (board, moves, piece, rolls)
        state = next == piece ? .myTurn : .opponentTurn
        return true
    }

    private mutating func roll(_ number: Int) -> [Effect] {
        (ownRoll, isOwnRollKnown) = (number, false)
        return [.send(.roll(number))]
    }

    // MARK: Moves

    /// A touch on a square: it counts on the own turn, on a square that is free.
    mutating func touch(_ square: Int) -> [Effect] {
        guard state == .myTurn, let piece, board.put(piece, on: square) else { return [] }
        moves.append(square)
        state = .opponentTurn
        return [.send(.move(square))] + finishIfOver()
    }

    private mutating func finishIfOver() -> [Effect] {
        guard board.isOver else { return [] }
        state = .done
        (ownRoll, isOwnRollKnown, otherRolls, hasOtherBegun) = (nil, false, [], false)
        return [.beginAfter(Self.pause)]
    }

    // MARK: Packets

    /// A packet of the other side.
    ///
    /// - Parameter roll: Gives the next number after a tie.
    mutating func receive(_ packet: Packet, rolling roll: () -> Int) -> [Effect] {
        switch (packet.type, packet.dieRoll, packet.space) {
        case (.reset, _, _): return reset()
        case (.dieRoll, let number?, _) where (0...999_999).contains(number):
            return [.send(.ack(number))] + take(number, roll)
        case (.ack, let number?, _): return acknowledge(number, roll)
        case (.move, _, let square?): return take(move: square)
        default: return [.refused("a packet without what its type needs")]
        }
    }

    private mutating func reset() -> [Effect] {
        // The roll of the next game may have come before the word of it.
        guard state == .done, !hasOtherBegun else { return [] }
        (ownRoll, isOwnRollKnown, otherRolls, hasOtherBegun) = (nil, false, [], true)
        return []
    }

    private mutating func take(_ number: Int, _ roll: () -> Int) -> [Effect] {
        guard state != .myTurn, state != .opponentTurn, state != .interrupted else {
            return [.refused("a roll while a game is played")]
        }
        if state == .done { hasOtherBegun = true }
        otherRolls.append(number)
        return startIfDecided(roll)
    }

    private mutating func acknowledge(_ number: Int, _ roll: () -> Int) -> [Effect] {
        guard number == ownRoll else { return [.refused("an acknowledgement of \(number), which may be cheating")] }
        isOwnRollKnown = true
        return startIfDecided(roll)
    }

    /// The higher roll has the O, and begins.
    private mutating func startIfDecided(_ roll: () -> Int) -> [Effect] {
        guard state == .rollingDice, isOwnRollKnown, let ownRoll, !otherRolls.isEmpty else { return [] }
        let other = otherRolls.removeFirst()
        guard ownRoll != other else { return self.roll(roll()) }
        piece = ownRoll > other ? .o : .x
        rolls = (ownRoll, other)
        state = piece == .o ? .myTurn : .opponentTurn
        return []
    }

    private mutating func take(move square: Int) -> [Effect] {
        guard state == .opponentTurn, let piece else { return [.refused("a move to \(square) out of turn")] }
        guard board.put(piece.other, on: square) else { return [.refused("a move to \(square), which is not free")] }
        moves.append(square)
        state = .myTurn
        return finishIfOver()
    }

    // MARK: The end of a connection

    /// The peer has gone: deliberately on this side, or not.
    mutating func disconnect(isDeliberate: Bool) -> [Effect] {
        self = Game()
        guard !isDeliberate else { return [] }
        state = .interrupted
        return [.alert(title: Self.lostLink[0], message: Self.lostLink[1], button: Self.lostLink[2])]
    }

    /// Title, message and button of what is said when a link is lost.
    static let lostLink = ["Error Connecting", "Unable to establish connection", "Bummer"]
}
