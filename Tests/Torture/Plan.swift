import CoreData
import StoreContract
import TestBasics

/// All the trials of a run.
enum Plan {
    static func units(isSample: Bool) -> [TrialUnit] { damage(isSample) + faults(isSample) + kills(isSample) }

    /// Every byte of each store changed, and each store cut off at every 512 bytes.
    private static func damage(_ isSample: Bool) -> [TrialUnit] {
        AppleStore.all.flatMap { store in
            let parts = isSample ? 1 : 16
            let flips = (0..<parts).map { part in
                TrialUnit(
                    "flips of \(store.name)", part: "\(part + 1) of \(parts)",
                    // A sample is every 499th byte: no divisor of the page size, so that all parts of pages are met.
                    arguments: ["flips", store.name, seed, "\(part)", "\(isSample ? 499 : parts)"])
            }
            return flips + [
                TrialUnit("truncations of \(store.name)", arguments: ["cuts", store.name, isSample ? "5" : "1"])
            ]
        }
    }

    /// Each call that fails, and each allocation; an operation has so many of the latter that they are made in parts.
    private static func faults(_ isSample: Bool) -> [TrialUnit] {
        Operation.all.enumerated().flatMap { index, operation in
            // In a sample each operation has one kind of failing call, all of them together every kind.
            let names = isSample ? [FaultKind.names[(index * 5) % FaultKind.names.count]] : FaultKind.names
            let calls = names.map { name in
                TrialUnit(
                    "faults during: \(operation.name)", part: name,
                    arguments: ["faults", operation.name, name, "0", isSample ? "0" : "1"])
            }
            let memory = (isSample ? ["\(index % 2)"] : ["0", "1"]).flatMap { lasts in
                (0..<(isSample ? 1 : memoryParts)).map { part in
                    TrialUnit(
                        "failing allocations during: \(operation.name)", part: "\(lasts).\(part)",
                        arguments: ["memory", operation.name, lasts, "\(part)", isSample ? "0" : "\(memoryStep)"])
                }
            }
            return calls + memory
        }
    }

    private static func kills(_ isSample: Bool) -> [TrialUnit] {
        Operation.all.flatMap { operation in
            let calls = TrialUnit(
                "kills at system calls: \(operation.name)",
                arguments: ["kills", operation.name, seed, "0", isSample ? "0" : "1"])
            let moments = TrialUnit(
                "kills at moments: \(operation.name)", arguments: ["moments", operation.name, seed, "40"])
            return isSample ? [calls] : [calls, moments]
        }
    }

    /// One allocation in so many is tried, from as many beginnings as there are parts.
    private static let memoryStep = 8
    private static let memoryParts = 6

    private static var seed: String { "\(TestSeed.first)" }
}
