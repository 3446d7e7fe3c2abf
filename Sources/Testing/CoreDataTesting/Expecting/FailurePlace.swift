import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// A place in a test's source, at which a failure is reported.
struct FailurePlace {
    let fileID: String
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// Reports a failure to the test library that runs the test: Swift Testing or XCTest.
    ///
    /// Outside of a task of Swift Testing the failure goes to both, as it is not known which of them runs.
    func fail(_ message: String) {
        let isSwiftTesting = Test.current != nil
        #if canImport(XCTest)
            if !isSwiftTesting { XCTFail(message, file: filePath, line: line) }
        #endif
        Issue.record(
            Comment(rawValue: message),
            sourceLocation: SourceLocation(
                fileID: fileID, filePath: filePath.description, line: Int(line), column: Int(column)))
    }
}
