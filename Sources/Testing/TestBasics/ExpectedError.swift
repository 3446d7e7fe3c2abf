import Foundation
import Testing

/// Expects an error of a domain and code, and hands it out for more to be asked of it.
///
/// `#expect(throws: NSError.self)` takes every error, since each bridges to one; so a test that means one refusal would pass
/// with any other.
@discardableResult
package func expectError<Result>(
    _ code: Int, in domain: String = NSCocoaErrorDomain, comment: @autoclosure () -> String = "",
    sourceLocation: SourceLocation = #_sourceLocation, body: () throws -> Result
) -> NSError? {
    do {
        _ = try body()
        Issue.record("no error was thrown \(comment())", sourceLocation: sourceLocation)
        return nil
    } catch {
        let error = error as NSError
        if error.domain != domain || error.code != code {
            Issue.record("threw \(error.domain) \(error.code): \(error) \(comment())", sourceLocation: sourceLocation)
        }
        return error
    }
}
