import Foundation

/// Does the benchmarks' work with GRDB, by records with initializers and encoders written by hand:
/// `GRDBPeer CODE SIZE FOLDER`.
///
/// Prints the median of three runs in seconds, a line for each of the benchmark's first rows; prints nothing for an
/// unknown code. Tables, pragmas and what is timed are those of the benchmark with the code: see
/// `Benchmarks/Sources/CoreDataBenchmarks`. Files are made in FOLDER.
@main
struct GRDBPeer {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[2]) else { fail("the arguments are CODE SIZE FOLDER") }
        do {
            for seconds in try times(arguments[1], URL(fileURLWithPath: arguments[3]), count) { print(seconds) }
        } catch {
            fail("\(error)")
        }
    }

    private static func times(_ code: String, _ folder: URL, _ count: Int) throws -> [Double] {
        switch code {
        case "A": [try Reading.items(folder, count, reads: false)]
        case "AR": [try Reading.items(folder, count, reads: true)]
        case "MB": [try Reading.booksOfAuthors(folder, count)]
        case "RQ": [try Reading.ranges(folder, count)]
        case "B": [try Writing.insert(folder, count)]
        case "C": [try Writing.change(folder, count)]
        case "D": [try Writing.delete(folder, count)]
        case "SF": [try Writing.saves(folder, count, .full)]
        case "SN": [try Writing.saves(folder, count, .normal)]
        case "PF": try [1, 2, 4].map { try Threads.fetch(folder, count, threads: $0) }
        case "PT": try Threads.pages(folder, count)
        default: []
        }
    }

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("GRDBPeer: \(text)\n".utf8))
        exit(1)
    }
}

/// A result that makes the figures worthless.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static func unless(_ condition: Bool, _ description: String) throws {
        guard condition else { throw Failure(description) }
    }
}
