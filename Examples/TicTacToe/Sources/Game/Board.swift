/// Nine squares, numbered from 1000 to 1008 in rows from the top left.
struct Board: Equatable, Sendable {
    enum Piece: String, Codable, Sendable {
        case o = "O"
        case x = "X"

        var other: Piece { self == .o ? .x : .o }
    }

    static let squares = 1_000...1_008

    private static let lines = [
        [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
    ]

    private var pieces = [Piece?](repeating: nil, count: 9)

    subscript(square: Int) -> Piece? { Self.squares.contains(square) ? pieces[square - 1_000] : nil }

    var free: [Int] { Self.squares.filter { self[$0] == nil } }

    var isFull: Bool { free.isEmpty }

    /// The piece that has three in a line.
    var winner: Piece? {
        Self.lines.lazy.compactMap { line in
            let first = pieces[line[0]]
            return line.allSatisfy { pieces[$0] == first } ? first : nil
        }.first
    }

    var isOver: Bool { isFull || winner != nil }

    /// Puts a piece on a square that is free; false if it is not.
    mutating func put(_ piece: Piece, on square: Int) -> Bool {
        guard Self.squares.contains(square), self[square] == nil else { return false }
        pieces[square - 1_000] = piece
        return true
    }

    /// Three rows, with the numbers of free squares.
    var text: String {
        (0..<3).map { row in
            (0..<3).map { column in self[1_000 + 3 * row + column]?.rawValue ?? String(3 * row + column + 1) }
                .joined(separator: " | ")
        }.joined(separator: "\n--+---+--\n")
    }
}
