import CoreData

/// The games of a player, in a store: each move is saved as it is made, so that a game can be gone on with. All is
/// done on the queue of its context.
final class GameRecords: @unchecked Sendable {
    /// A game that was not finished, as both sides know it.
    struct Unfinished: Codable, Equatable, Sendable {
        let ownRoll: Int
        let otherRoll: Int
        let piece: Board.Piece
        let moves: [Int]

        /// Whether another side's record is of the same game, seen from there.
        func isSameGame(as other: Unfinished) -> Bool {
            ownRoll == other.otherRoll && otherRoll == other.ownRoll && piece == other.piece.other
                && zip(moves, other.moves).allSatisfy(==)
        }
    }

    private let container: NSPersistentContainer
    private var context: NSManagedObjectContext { container.viewContext }

    /// Opens the games at a URL; in memory without one.
    init(at url: URL?) throws {
        container = NSPersistentContainer(name: "Games")
        let description = url.map { NSPersistentStoreDescription(url: $0) } ?? NSPersistentStoreDescription()
        if url == nil { description.type = NSInMemoryStoreType }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// Keeps what a game has come to; does nothing before it is known who begins.
    func keep(_ game: Game, against opponent: String) throws {
        guard let rolls = game.rolls, let piece = game.piece else { return }
        try context.performAndWait {
            let record = try record(rolls, opponent) ?? make(rolls, piece, opponent)
            let known = record.moves?.count ?? 0
            for square in game.moves.dropFirst(known) {
                let move = PlayedMove(context: context)
                move.square = Int16(square)
                move.game = record
            }
            if game.state == .done { record.result = game.label }
            if context.hasChanges { try context.save() }
        }
    }

    private func make(_ rolls: (own: Int, other: Int), _ piece: Board.Piece, _ opponent: String) -> PlayedGame {
        let record = PlayedGame(context: context)
        (record.began, record.opponent, record.piece) = (Date(), opponent, piece.rawValue)
        (record.ownRoll, record.otherRoll) = (Int32(rolls.own), Int32(rolls.other))
        return record
    }

    private func record(_ rolls: (own: Int, other: Int), _ opponent: String) throws -> PlayedGame? {
        let request = NSFetchRequest<PlayedGame>(entityName: "PlayedGame")
        request.predicate = NSPredicate(
            format: "opponent == %@ AND ownRoll == %d AND otherRoll == %d AND result == nil", opponent, rolls.own,
            rolls.other)
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    /// The last game against an opponent, if it was not finished.
    func unfinished(against opponent: String) throws -> Unfinished? {
        try context.performAndWait {
            let request = NSFetchRequest<PlayedGame>(entityName: "PlayedGame")
            request.predicate = NSPredicate(format: "opponent == %@", opponent)
            request.sortDescriptors = [NSSortDescriptor(key: "began", ascending: false)]
            request.fetchLimit = 1
            guard let game = try context.fetch(request).first, game.result == nil,
                let piece = Board.Piece(rawValue: game.piece ?? "")
            else { return nil }
            return Unfinished(
                ownRoll: Int(game.ownRoll), otherRoll: Int(game.otherRoll), piece: piece, moves: squares(of: game))
        }
    }

    /// The unfinished games of the last opponents by their names, for an invitation.
    func offers() throws -> Data {
        let names = try context.performAndWait {
            let request = NSFetchRequest<PlayedGame>(entityName: "PlayedGame")
            request.predicate = NSPredicate(format: "result == nil")
            request.sortDescriptors = [NSSortDescriptor(key: "began", ascending: false)]
            request.fetchLimit = 20
            return try context.fetch(request).compactMap(\.opponent)
        }
        var offers: [String: Unfinished] = [:]
        for name in names { offers[name] = try unfinished(against: name) }
        return try JSONEncoder().encode(offers)
    }

    /// What an invitation offers to a player; nil for nothing, or bytes that are no offers.
    static func offer(in context: Data?, to name: String) -> Unfinished? {
        guard let context, context.count <= 64 << 10 else { return nil }
        return (try? JSONDecoder().decode([String: Unfinished].self, from: context))?[name]
    }

    private func squares(of game: PlayedGame) -> [Int] {
        (game.moves?.array as? [PlayedMove] ?? []).map { Int($0.square) }
    }

    /// The finished games, newest first, as lines.
    func results() throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<PlayedGame>(entityName: "PlayedGame")
            request.predicate = NSPredicate(format: "result != nil")
            request.sortDescriptors = [NSSortDescriptor(key: "began", ascending: false)]
            return try context.fetch(request).map {
                "\($0.opponent ?? ""): \($0.result ?? "") (\(squares(of: $0).count) moves)"
            }
        }
    }
}
