/// Chooses moves: a player that never loses, or one that takes any square.
struct ComputerPlayer: Sendable {
    enum Skill: Sendable {
        case perfect, careless
    }

    let skill: Skill

    /// The square to take; nil if none is free.
    func move(on board: Board, as piece: Board.Piece, using random: inout some RandomNumberGenerator) -> Int? {
        guard !board.isOver else { return nil }
        // From an empty board all squares lead to a draw.
        guard skill == .perfect, board.free.count < 9 else { return board.free.randomElement(using: &random) }
        var best: [Int] = []
        var bestScore = Int.min
        for square in board.free {
            var next = board
            guard next.put(piece, on: square) else { continue }
            let score = -Self.score(next, piece.other, depth: 1)
            if score > bestScore {
                (best, bestScore) = ([square], score)
            } else if score == bestScore {
                best.append(square)
            }
        }
        return best.randomElement(using: &random)
    }

    /// What a board is worth to the piece whose turn it is: a win soon is worth more.
    private static func score(_ board: Board, _ piece: Board.Piece, depth: Int) -> Int {
        if board.winner != nil { return depth - 10 }
        return board.free.map { square in
            var next = board
            return next.put(piece, on: square) ? -score(next, piece.other, depth: depth + 1) : Int.min
        }.max() ?? 0
    }
}
