import CoreData

/// The command line: adds random people to a store, lists and edits them.
@main
@MainActor
struct Program {
    private static let usage = """
        usage: randompeople STORE add COUNT    adds random people
               randompeople STORE list         lists everybody
               randompeople STORE new          adds a person by hand
               randompeople STORE edit N       edits the person in row N of the list

        In 'new' and 'edit' each line of standard input is FIELD VALUE, or one of:
            undo  redo  show  done  cancel
        The fields are firstName, lastName, dateOfBirth and eyeColor.
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("randompeople: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Complaint("cannot do that\n" + usage) }
        let container = try open(URL(fileURLWithPath: arguments[0]))
        let list = PeopleList(context: container.viewContext)
        let number = arguments.count == 3 ? Int(arguments[2]) : nil
        switch (arguments[1], arguments.count, number) {
        case ("add", 3, let count?) where count >= 0: try add(count, to: list)
        case ("list", 2, _): try show(list)
        case ("new", 2, _): edit(.adding(to: container.persistentStoreCoordinator))
        case ("edit", 3, let row?):
            let person = try person(inRow: row, of: list)
            edit(try .editing(person.objectID, in: container.persistentStoreCoordinator))
            try show(list)
        default: throw Complaint("cannot do that\n" + usage)
        }
    }

    private static func open(_ store: URL) throws -> NSPersistentContainer {
        let model = try PeopleModel.transformable.load()
        let container = NSPersistentContainer(name: "RandomPeople", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        // A description loads its store before the call returns unless it is told otherwise.
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private static func add(_ count: Int, to list: PeopleList) throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<count { try list.addRandomPerson(using: &generator) }
        try show(list)
    }

    private static func show(_ list: PeopleList) throws {
        for (number, person) in try list.people().enumerated() {
            let row = PersonRow(person)
            print("\(number + 1). \(row.title) – \(row.detail) – \(row.color?.name ?? "no colour")")
        }
    }

    private static func person(inRow row: Int, of list: PeopleList) throws -> AWPerson {
        let people = try list.people()
        guard people.indices.contains(row - 1) else { throw Complaint("there is no row \(row)") }
        return people[row - 1]
    }

    private static func edit(_ editor: PersonEditor) { EditingSession(editor: editor).run() }
}
