import CoreData

/// The command line: adds random dates to a store and lists them.
@main
struct Program {
    private static let usage = """
        usage: randomdates STORE add COUNT    adds random dates
               randomdates STORE dates        lists them by date
               randomdates STORE days         lists them in sections by the weekdays' names
               randomdates STORE week         lists them in sections in the order of the week
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("randomdates: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Complaint("cannot do that\n" + usage) }
        let list = DateList(context: try open(URL(fileURLWithPath: arguments[0])).viewContext)
        switch (arguments[1], arguments.count) {
        case ("add", 3):
            guard let count = Int(arguments[2]), count >= 0 else { throw Complaint("COUNT must be a number\n" + usage) }
            try add(count, to: list)
        case ("dates", 2): show(try list.byDate())
        case ("days", 2): show(try list.byDayName())
        case ("week", 2): show(try list.byWeekday())
        default: throw Complaint("cannot do that\n" + usage)
        }
    }

    private static func open(_ store: URL) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "RandomDates", managedObjectModel: try DateModel.load())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
        // A description loads its store before the call returns unless it is told otherwise.
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private static func add(_ count: Int, to list: DateList) throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<count { try list.addRandomDate(using: &generator) }
        show(try list.byDate())
    }

    private static func show(_ controller: NSFetchedResultsController<AWRandomDate>) {
        for section in controller.sections ?? [] {
            if controller.sectionNameKeyPath != nil { print("\(section.name) (\(section.numberOfObjects))") }
            for case let date as AWRandomDate in section.objects ?? [] {
                print(date.date.map { $0.formatted(.iso8601) } ?? "", date.dayName ?? "")
            }
        }
        if controller.sectionNameKeyPath != nil {
            print("index:", controller.sectionIndexTitles.joined(separator: " "))
        }
    }
}
