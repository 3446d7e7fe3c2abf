import Foundation
import SwiftData
import TestBasics

/// A shelf of books: a unique text, composites, a list, a relationship in both directions.
@Model
final class Shelf {
    @Attribute(.unique) var code: String
    var room: Room
    var tags: [String] = []
    @Relationship(deleteRule: .cascade, inverse: \Volume.shelf) var volumes: [Volume] = []

    struct Room: Codable, Equatable {
        var floor: Int
        var name: String?
    }

    init(code: String, floor: Int) {
        self.code = code
        room = Room(floor: floor, name: nil)
    }
}

@Model
final class Volume {
    var title: String
    var pages: Int
    var kind: Kind
    @Attribute(.preserveValueOnDeletion) var key: UUID
    var cover: Data?
    var shelf: Shelf?

    enum Kind: String, Codable { case novel, atlas }

    init(title: String, pages: Int = 100, kind: Kind = .novel) {
        self.title = title
        self.pages = pages
        self.kind = kind
        key = UUID()
    }
}

extension ModelContext {
    /// A context of a store with two shelves and three volumes.
    static func filled(_ configuration: ModelConfiguration) throws -> ModelContext {
        let context = ModelContext(try ModelContainer(for: Shelf.self, configurations: configuration))
        let first = Shelf(code: "A", floor: 1)
        let second = Shelf(code: "B", floor: 2)
        first.volumes = [Volume(title: "Emma"), Volume(title: "Alps", pages: 20, kind: .atlas)]
        second.volumes = [Volume(title: "Persuasion", pages: 250)]
        first.tags = ["old", "dusty"]
        context.insert(first)
        context.insert(second)
        try context.save()
        return context
    }

    func shelf(_ code: String) throws -> Shelf? {
        try fetch(FetchDescriptor<Shelf>(predicate: #Predicate { $0.code == code })).first
    }
}
