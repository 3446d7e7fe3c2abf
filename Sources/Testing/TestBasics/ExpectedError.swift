import Foundation
import Testing

/// Expects an error with a domain and code, and returns it for further checks.
///
/// `#expect(throws: NSError.self)` accepts every error, since all bridge to `NSError`; so a test that expects a certain
/// error would pass with any other.
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
