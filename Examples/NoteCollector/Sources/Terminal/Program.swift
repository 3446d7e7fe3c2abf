import CoreData

/// The command line of the note collector; a path names collections from the outermost on, as in `Travel/Rome`.
@main
struct Program {
    private static let usage = """
        usage: notecollector STORE tree               shows everything
               notecollector STORE collection PATH    adds a collection
               notecollector STORE note PATH TEXT     adds a note, or gives one another text
               notecollector STORE read PATH          shows a note
               notecollector STORE rename PATH NAME   calls an item otherwise
               notecollector STORE delete PATH        deletes an item and all that is in it
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("notecollector: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Complaint(usage) }
        let collector = try NoteCollector(at: URL(fileURLWithPath: arguments[0]))
        let path = arguments.count > 2 ? arguments[2].split(separator: "/").map(String.init) : []
        switch (arguments[1], arguments.count) {
        case ("tree", 2): try show(collector, nil, depth: 0)
        case ("collection", 3):
            try collector.addCollection(path.last ?? "New Collection", to: try outer(collector, path))
        case ("note", 4):
            let note =
                try collector.item(at: path) as? AWNote
                ?? collector.addNote(path.last ?? "New Note", to: outer(collector, path))
            try collector.change { note.textContent = arguments[3] }
        case ("read", 3):
            guard let note = try item(collector, path) as? AWNote else { throw Complaint("that is no note") }
            print(note.textContent ?? "")
        case ("rename", 4):
            let item = try item(collector, path)
            try collector.change { item.itemName = arguments[3] }
        case ("delete", 3): try collector.delete(try item(collector, path))
        default: throw Complaint(usage)
        }
    }

    private static func item(_ collector: NoteCollector, _ path: [String]) throws -> AWAbstractItem {
        guard let item = try collector.item(at: path) else {
            throw Complaint("there is nothing called \(path.joined(separator: "/"))")
        }
        return item
    }

    private static func outer(_ collector: NoteCollector, _ path: [String]) throws -> AWCollection? {
        guard path.count > 1 else { return nil }
        guard let found = try item(collector, Array(path.dropLast())) as? AWCollection else {
            throw Complaint("\(path.dropLast().joined(separator: "/")) is no collection")
        }
        return found
    }

    private static func show(_ collector: NoteCollector, _ collection: AWCollection?, depth: Int) throws {
        for item in try collector.list(of: collection).fetchedObjects ?? [] {
            let indent = String(repeating: "  ", count: depth)
            if let note = item as? AWNote {
                print("\(indent)\(note.itemName ?? "") (\(note.wordCount) words)")
            } else {
                print("\(indent)\(item.itemName ?? "")/")
                try show(collector, item as? AWCollection, depth: depth + 1)
            }
        }
    }

    private struct Complaint: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
