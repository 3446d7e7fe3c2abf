import CoreDataModeling

/// Lines about what goes on that nobody asked for, such as a class that was not found.
package enum Diagnostics {
    /// Writes one line to standard error.
    package static func report(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
