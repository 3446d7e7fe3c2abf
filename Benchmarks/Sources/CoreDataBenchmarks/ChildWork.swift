import CRawBaseline
import CoreData

/// Work that this program does in a process of its own, `CoreDataBenchmarks WORK FILE COUNT`, which prints one figure.
///
/// So neither the memory of other work is measured nor what its first uses have prepared.
enum ChildWork: String {
    /// The peak of memory, in bytes.
    case fetch
    case rawFetch
    case save
    case rawSave
    /// The time, in seconds.
    case model

    /// Does the work in another process and waits for its figure.
    func figure(_ file: URL, count: Int) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        process.arguments = [rawValue, file.path, String(count)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0,
            let figure = Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { throw Failure("the process for '\(rawValue)' ended without a figure") }
        return figure
    }

    /// The figure of the work that the arguments of this process name; nil where they name none.
    static func figure(of arguments: [String]) throws -> Double? {
        guard arguments.count > 1 else { return nil }
        guard arguments.count == 4, let work = ChildWork(rawValue: arguments[1]), let count = Int(arguments[3]) else {
            throw Failure("the arguments are WORK FILE COUNT; workloads are chosen by the environment")
        }
        return try work.run(URL(fileURLWithPath: arguments[2]), count)
    }

    private func run(_ file: URL, _ count: Int) throws -> Double {
        switch self {
        case .fetch: try PeakMemory.fetch(file, count)
        case .rawFetch: try PeakMemory.rawFetch(file, count)
        case .save: try PeakMemory.save(file, count)
        case .rawSave: try PeakMemory.rawSave(file, count)
        case .model: return try CompiledModel.seconds(file, entities: count)
        }
        return Double(try ProcessMemory.peak())
    }
}
