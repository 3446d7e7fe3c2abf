import CFaultVFS
import CoreData
import StoreContract
import WriteScenarios

// Faults, kills and damaged files, each in a process that may end badly (`make torture`):
//
//   Torture run [--sample] [--only TEXT] [--processes N] [--record FILE]
//                                          runs all units, or those whose names have the text; a few trials of each with --sample
//   Torture list                           writes the units' names
//
// and, started by these, with the number of the first trial at the end:
//
//   Torture flips STORE SEED PART PARTS N  bytes of one of Apple's stores changed
//   Torture cuts STORE STEP N              the store cut off at every 512 bytes
//   Torture faults OPERATION KIND PART PARTS N
//                                          the n-th call of SQLite to its file system fails during an operation
//   Torture memory OPERATION LASTS PART PARTS N
//                                          the n-th allocation of SQLite fails
//   Torture kills OPERATION SEED PART PARTS N
//                                          the process is killed at the n-th system call that writes
//   Torture moments OPERATION SEED COUNT N the process is killed at a random moment
//   Torture operate OPERATION FOLDER CALL  carries the operation out, and ends at the given system call or never for 0
//
// PARTS 0 stands for a sample: a few numbers, ever farther apart.

func run(_ arguments: [String]) throws {
    func number(_ index: Int) -> Int { Int(arguments[index]) ?? 0 }
    switch (arguments.first, arguments.count) {
    case ("run", _): try Driver(Array(arguments.dropFirst())).run()
    case ("list", 1): for unit in Plan.units(isSample: false) { print(unit.name) }
    case ("flips", 6):
        let trials = try AppleStore.named(arguments[1]).trials()
        let numbers = Numbers(part: number(3), parts: number(4))
        TrialChild.run(from: number(5)) { try trials.flip(numbers[$0], seed: UInt64(number(2))) }
    case ("cuts", 4):
        let trials = try AppleStore.named(arguments[1]).trials()
        TrialChild.run(from: number(3)) { trial in
            let length = (trial - 1) * 512 * max(1, number(2))
            return length < trials.length ? try trials.trial(.truncation(length: length)) : nil
        }
    case ("faults", 6):
        guard fault_vfs_register_for_all() == 0 else { throw Failure("no file system that fails") }
        let trials = try FaultTrials(Operation.named(arguments[1]), FaultKind.named(arguments[2]))
        let numbers = Numbers(part: number(3), parts: number(4))
        TrialChild.run(from: number(5)) { try trials.trial(numbers[$0]) }
    case ("memory", 6):
        guard fault_memory_install() == 0 else { throw Failure("no allocator that fails") }
        let trials = try FaultTrials(Operation.named(arguments[1]), .memory(isLasting: number(2) != 0))
        let numbers = Numbers(part: number(3), parts: number(4))
        TrialChild.run(from: number(5)) { try trials.trial(numbers[$0]) }
    case ("kills", 6):
        let trials = try KillTrials(Operation.named(arguments[1]), seed: UInt64(number(2)))
        let numbers = Numbers(part: number(3), parts: number(4))
        TrialChild.run(from: number(5)) { try trials.kill(at: numbers[$0]) }
    case ("moments", 5):
        let trials = try KillTrials(Operation.named(arguments[1]), seed: UInt64(number(2)))
        TrialChild.run(from: number(4)) { $0 <= number(3) ? try trials.killAtMoment($0) : nil }
    case ("operate", 4):
        let operation = try Operation.named(arguments[1])
        if number(3) > 0 { SystemCalls.kill(at: number(3)) }
        _ = try operation.run(URL(fileURLWithPath: arguments[2]))
        print("done")
    default:
        throw Failure("what is asked is none of: run, list")
    }
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
