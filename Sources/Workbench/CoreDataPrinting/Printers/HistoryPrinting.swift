import CoreDataWorkbench

/// Prints the parts of a history as they are read.
package protocol HistoryPrinting: AnyObject {
    func print(_ part: HistoryPart) throws
    /// Prints buffered rows; called when no more transactions exist for now.
    func pause() throws
    /// Prints the rest of the output, after the last part.
    func finish()
}

extension HistoryPrinting {
    /// Runs `body`, which prints the parts, and then finishes the output, even if reading the history fails.
    package func printing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as InspectionError where error.code == .noHistory {
            // Nothing was printed yet, so only the error is reported.
            throw error
        } catch {
            finish()
            throw error
        }
        finish()
    }
}
