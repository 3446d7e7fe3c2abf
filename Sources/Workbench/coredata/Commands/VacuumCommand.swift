import CoreDataJobs
import CoreDataPrinting
import CoreDataRepair

/// `vacuum`: rebuilds the file of a store.
struct VacuumCommand: Command {
    let syntax = CommandSyntax(
        name: ["vacuum"],
        summary:
            "Rebuilds the file of a store that no program has open, so that what was deleted takes no room; prints its sizes.",
        operands: [.storeFile], options: [.model, .progress, .noProgress, .format([.table, .json])],
        details: ["json is {\"before\", \"after\"}, the bytes of the file and its log."])

    func run(_ arguments: Arguments, _ output: StandardOutput) throws {
        let vacuum = try StoreVacuum(StoreFacts(at: arguments.path(0)))
        let sizes = try arguments.progress("compacting").showing { _ in try vacuum.run(model: arguments.model) }
        if arguments.format == .json {
            return output.line(
                JSONWriter.line(.object([("before", .count(sizes.before)), ("after", .count(sizes.after))])))
        }
        output.say("\(sizes.before) bytes before, \(sizes.after) after")
    }
}
