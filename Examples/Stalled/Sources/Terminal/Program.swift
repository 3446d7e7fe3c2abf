import CoreDataJobs
import Foundation

/// Calculates square roots in one of the three forms; a terminal's line is the page.
@main
struct Program {
    private static let usage = """
        usage: stalled blocking [COUNT]      calculates on the main thread: nothing is drawn until the end
               stalled slices [COUNT]        calculates in slices, and draws in between; Return stops it
               stalled queue [COUNT [JOBS]]  calculates in jobs of a queue, two at a time, with a row each
        COUNT is 10000 unless another is given.
        """

    @MainActor static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        let counts = words.dropFirst().map { Int($0) ?? 0 }
        guard (1...3).contains(words.count), counts.allSatisfy({ $0 > 0 }) else { fail(usage) }
        let roots = SquareRoots(count: counts.first ?? 10_000) { number in
            usleep(200)
            return Double(number).squareRoot()
        }
        switch words[0] {
        case "blocking":
            let label = Label { print($0) }
            BlockingCalculation(roots: roots, label: label).run()
            RunLoop.main.run(until: Date())
        case "slices": slices(roots)
        case "queue":
            do { try queue(roots, jobs: counts.count > 1 ? counts[1] : 4) } catch { fail("\(error)") }
        default: fail(usage)
        }
    }

    @MainActor private static func slices(_ roots: SquareRoots) {
        let calculation = SlicedCalculation(roots, label: Label { print($0) })
        calculation.onEnd = { DispatchQueue.main.async { exit(0) } }
        calculation.start()
        Thread.detachNewThread {
            // The end of the input stops nothing.
            guard readLine() != nil else { return }
            DispatchQueue.main.async { calculation.cancel() }
        }
        RunLoop.main.run()
    }

    private static func queue(_ roots: SquareRoots, jobs count: Int) throws {
        let calculation = QueuedCalculation()
        let jobs = try (0..<count).map { _ in try calculation.add(roots) }
        while jobs.contains(where: { !$0.state.isEnded }) {
            print(calculation.rows().joined(separator: "\n"), terminator: "\n\n")
            Thread.sleep(forTimeInterval: Job.publicationInterval / .seconds(1))
        }
        print(calculation.rows().joined(separator: "\n"))
    }

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("stalled: \(text)\n".utf8))
        exit(1)
    }
}
