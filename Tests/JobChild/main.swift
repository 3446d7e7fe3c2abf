import CoreDataJobs
import Dispatch
import Foundation

// The other process of the tests of jobs that need one:
//
//   JobChild count FOLDER           runs a job that is noted in the journal of the folder, which counts on forever and saves
//                                   a checkpoint at each ten; writes the identifier, then each ten
//   JobChild claim FOLDER ID        claims a record; writes "claimed" and keeps it until it is killed, or why not
//   JobChild race FOLDER ID         claims a record; writes "claimed" or why not, and removes the record
//   JobChild reachability           writes "online" or "offline", and again with each change, until it is killed
//   JobChild block MILLISECONDS     blocks the main queue, served by a run loop, under a watchdog; writes its report, and "idle"
//                                   when the queue has been free; then does nothing until it is killed
//   JobChild pings MILLISECONDS     the same after dispatchMain()
//   JobChild idle                   serves the main queue by a run loop and does nothing, under a watchdog; writes "idle" and
//                                   the number of its process
//   JobChild slices                 works in slices on the main run loop, see `SlicedWork`
//   JobChild timers                 uses timers on the main run loop, see `TimerTrials`
//   JobChild progress FORM          shows progress for three seconds

/// Blocks the main thread; its name is looked for in the stack.
@inline(never) func blockMainQueue(_ milliseconds: Int) {
    let end = DispatchTime.now() + .milliseconds(milliseconds)
    var sum = 0
    while DispatchTime.now() < end { sum &+= 1 }
    if sum == .min { print(sum) }
}

func say(_ text: String) {
    print(text)
    fflush(nil)
}

func number(_ index: Int) -> Int { CommandLine.arguments.count > index ? Int(CommandLine.arguments[index]) ?? 0 : 0 }

func journal() throws -> JobJournal { try JobJournal(folder: URL(fileURLWithPath: CommandLine.arguments[2])) }

func claimed() throws -> JournalEntry? {
    do {
        let entry = try journal().claim(UUID(uuidString: CommandLine.arguments[3]) ?? UUID())
        say("claimed")
        return entry
    } catch let error as JobError {
        say("\(error.code)")
        return nil
    }
}

/// Work of the child on its main queue, under a watchdog.
func block(_ milliseconds: Int) -> MainQueueWatchdog {
    let watchdog = MainQueueWatchdog { report in
        say("blocked \(Int(report.duration / .milliseconds(1))) ms by the method \(watching?.method ?? .undecided)")
        for frame in report.stack { say("  \(frame)") }
        DispatchQueue.main.async { say("idle") }
    }
    // After the watchdog has seen by what the queue is served.
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
        if milliseconds > 0 { blockMainQueue(milliseconds) } else { say("idle \(getpid())") }
    }
    return watchdog
}

nonisolated(unsafe) var watching: MainQueueWatchdog?

switch CommandLine.arguments.dropFirst().first ?? "" {
case "count":
    let entry = try journal().begin(kind: "count", title: "Count", parameters: ["step": "1"])
    say(entry.record.id.uuidString)
    let queue = JobQueue()
    let job = Job("Count", total: 1_000_000, entry: entry) { handle in
        for number in 1... {
            try handle.advance()
            guard number % 10 == 0 else { continue }
            try handle.saveCheckpoint(Data("\(number)".utf8))
            say("\(number)")
        }
    }
    try queue.add(job)
    try job.waitUntilEnded()
case "claim":
    let entry = try claimed()
    while entry != nil { pause() }
case "race":
    try claimed()?.remove()
case "reachability":
    let network = try Reachability()
    Task {
        for await isReachable in network.changes { say(isReachable ? "online" : "offline") }
    }
    RunLoop.main.run()
case "block", "idle":
    watching = block(number(2))
    RunLoop.main.run()
case "pings":
    watching = block(number(2))
    dispatchMain()
case "slices":
    SlicedWork.run()
case "timers":
    TimerTrials.run()
case "progress":
    let form = ProgressForm(rawValue: CommandLine.arguments[2]) ?? .none
    ProgressLine("counting", total: 30, form: form, delay: .milliseconds(100)).showing { line in
        for number in 0..<30 {
            Thread.sleep(forTimeInterval: 0.1)
            line.update(Int64(number), message: "of a line that is longer than what the terminal has columns for")
        }
    }
default:
    FileHandle.standardError.write(Data("JobChild: no such work\n".utf8))
    exit(2)
}
