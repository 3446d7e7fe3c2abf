import CoreData

/// The command line of the list of possessions; rows are counted from 0.
@main
struct Program {
    private static let usage = """
        usage: mystuff STORE list [TEXT]        lists all, or those whose names have a text in them
               mystuff STORE add NAME [VALUE]   adds a possession
               mystuff STORE value ROW VALUE    gives one another value
               mystuff STORE move ROW ROW       puts one to another place
               mystuff STORE delete ROW         deletes one
               mystuff STORE import FILE        takes over what an older version kept in a property list
        """

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("mystuff: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        guard arguments.count >= 2 else { throw Complaint(usage) }
        let stuff = try PossessionStore(at: URL(fileURLWithPath: arguments[0]))
        switch (arguments[1], arguments.count) {
        case ("list", 2): break
        case ("list", 3): return show(try stuff.possessions(matching: arguments[2]))
        case ("add", 3...4): try stuff.add(arguments[2], value: arguments.count > 3 ? arguments[3] : nil)
        case ("value", 4): try stuff.setValue(arguments[3], of: try row(arguments[2], stuff).possession)
        case ("move", 4): try stuff.move(from: row(arguments[2], stuff).number, to: row(arguments[3], stuff).number)
        case ("delete", 3): try stuff.delete(try row(arguments[2], stuff).possession)
        case ("import", 3): try stuff.importPossessions(from: URL(fileURLWithPath: arguments[2]))
        default: throw Complaint(usage)
        }
        show(try stuff.possessions())
    }

    private static func row(_ text: String, _ stuff: PossessionStore) throws -> (number: Int, possession: Possession) {
        let all = try stuff.possessions()
        guard let number = Int(text), all.indices.contains(number) else {
            throw Complaint("there is no row \(text) of \(all.count)")
        }
        return (number, all[number])
    }

    private static func show(_ possessions: [Possession]) {
        for (number, possession) in possessions.enumerated() {
            print("\(number) \(possession.name ?? "") \(possession.value.map { "\($0)" } ?? "-")")
        }
    }

    private struct Complaint: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
