import CoreData

/// The command line of the template.
@main
struct Program {
    private static let usage = """
        usage: templateproject STORE add          adds the present moment
               templateproject STORE list         lists the moments, newest first
               templateproject STORE flip         lists them oldest first
               templateproject STORE delete ROW   deletes a row of the list, counted from 0
               templateproject STORE serve        shows the store in a web browser, until interrupted
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("templateproject: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Complaint(usage) }
        let stack = try PersistenceController(at: URL(fileURLWithPath: arguments[0]))
        let list = try EventList(context: stack.container.viewContext)
        switch (arguments[1], arguments.count) {
        case ("add", 2): try list.insertNewObject()
        case ("list", 2): break
        case ("flip", 2): try list.flip()
        case ("serve", 2): return try Server(stack).run()
        case ("delete", 3):
            guard let row = Int(arguments[2]), (0..<list.count).contains(row) else {
                throw Complaint("there is no row \(arguments[2]) of \(list.count)")
            }
            try list.delete(at: IndexPath(row: row, section: 0))
        default: throw Complaint(usage)
        }
        for row in list.rows { print(row) }
    }

    private struct Complaint: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
