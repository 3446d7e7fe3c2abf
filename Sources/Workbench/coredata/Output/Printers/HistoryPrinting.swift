import CoreDataWorkbench

/// Prints the pieces of a history as they come.
protocol HistoryPrinting: AnyObject {
    func print(_ part: HistoryPart) throws
    /// Prints what is held back; nothing more comes for now.
    func pause() throws
    /// Prints what is left to print when nothing more comes.
    func finish()
}

extension HistoryPrinting {
    /// Does what prints the pieces; what is begun is finished also where the history breaks off.
    func printing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as InspectionError where error.code == .noHistory {
            // Nothing was begun: the answer is the error alone.
            throw error
        } catch {
            finish()
            throw error
        }
        finish()
    }
}
