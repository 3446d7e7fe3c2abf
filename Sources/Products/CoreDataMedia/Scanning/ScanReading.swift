import Dispatch
import Foundation
import LockKit
import ProgramKit

/// The reading of a batch of files beside the saving of others, begun when it is made.
final class ScanReading: Sendable {
    private let outcome = Locked<Result<(work: [ScanWork], missing: Set<HelperProgram>), any Error>?>(nil)
    private let group = DispatchGroup()

    /// - Parameters:
    ///   - missing: Programs that are known not to be there.
    ///   - progress: What cancels a reading that has not begun.
    init(_ work: [ScanWork], in root: BytePath, missing: Set<HelperProgram>, progress: Progress?) {
        group.enter()
        DispatchQueue.global().async {
            let result = Result {
                if progress?.isCancelled ?? false { throw CancellationError() }
                var reader = FactsReader(missing: missing)
                return (work: try ScanWork.read(work, in: root, &reader), missing: reader.missing)
            }
            self.outcome.withLock { $0 = result }
            self.group.leave()
        }
    }

    /// Waits until nothing is read any more.
    func wait() { group.wait() }

    /// What was read, and the programs that were missing; waits for them.
    func result() throws -> (work: [ScanWork], missing: Set<HelperProgram>) {
        wait()
        guard let outcome = outcome.withLock({ $0 }) else { throw CancellationError() }
        return try outcome.get()
    }
}
