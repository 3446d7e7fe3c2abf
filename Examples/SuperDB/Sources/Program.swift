import CoreData

/// The command line: makes a database of heroes, shows it, and changes one of them.
@main
struct Program {
    private static let usage = """
        usage: superdb create STORE                  makes a store with five heroes
               superdb show STORE                    lists, shows and searches them
               superdb reveal STORE NAME IDENTITY    writes down who a hero really is
               superdb serve LISTS FOLDER            serves the property lists of a folder as an application, whose
                                                     store lies in another, until interrupted
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("superdb: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        switch (arguments.first, arguments.count) {
        case ("create", 2): try create(URL(fileURLWithPath: arguments[1]))
        case ("show", 2): try show(URL(fileURLWithPath: arguments[1]))
        case ("reveal", 4): try reveal(arguments[2], as: arguments[3], in: URL(fileURLWithPath: arguments[1]))
        case ("serve", 3):
            let (lists, folder) = (URL(fileURLWithPath: arguments[1]), URL(fileURLWithPath: arguments[2]))
            try Server(lists: lists, storeFolder: folder).run()
        default: throw Complaint("cannot do that\n" + usage)
        }
    }

    private static func create(_ store: URL) throws {
        let database = try HeroDatabase(at: store, createsStore: true)
        Fixture.insert(into: database.context)
        let count = database.context.insertedObjects.count
        try database.context.save()
        print("Saved \(count) heroes in \(store.lastPathComponent)")
    }

    private static func show(_ store: URL) throws {
        try report(on: HeroDatabase(at: store, createsStore: false)).printAll()
    }

    /// Changes one attribute, saves, forgets every object and reads the hero back from the file.
    private static func reveal(_ name: String, as identity: String, in store: URL) throws {
        let database = try HeroDatabase(at: store, createsStore: false)
        let predicate = NSPredicate(format: "name == %@", name)
        guard let hero = try database.heroes(matching: predicate).first else {
            throw Complaint("no hero is called \(name)")
        }
        print("\(name) was known as \(hero.secretIdentity)")
        hero.secretIdentity = identity
        try database.context.save()

        database.context.reset()
        guard let saved = try database.heroes(matching: predicate).first else { throw Complaint("\(name) is gone") }
        report(on: database).printDetail(of: saved)
    }

    /// Ages are told for the first of May 2015 at noon, so that the output is the same on every day.
    private static func report(on database: HeroDatabase) -> Report {
        Report(database: database, today: Days.date(2015, 5, 1, hour: 12) ?? Date())
    }
}
