import CoreData

extension ReadCancellation {
    /// - Throws: `CancellationError` where what runs now is to end.
    static func check() throws {
        if current?.isCancelled == true { throw CancellationError() }
    }
}
