import Foundation

/// A program of another project that does a part of the work where it is installed, such as `exiftool`.
package struct HelperProgram: Sendable, Hashable {
    /// The program's file name, looked up in the folders of `PATH`.
    package let name: String
    /// The package of Debian that has it.
    package let package: String
    /// Whether it is one of this library, which lies beside the running program or in its folder of helpers.
    package let isOwn: Bool

    package init(_ name: String, package: String, isOwn: Bool = false) {
        self.name = name
        self.package = package
        self.isOwn = isOwn
    }

    /// Where it is installed; nil if it is not.
    package var url: URL? {
        (isOwn ? ProgramSearch.find(name, in: ProgramSearch.ownFolders) : nil) ?? ProgramSearch.find(name)
    }

    /// Where it is installed.
    ///
    /// - Throws: `ProgramFailure` of reason `missing`.
    package func located() throws -> URL {
        guard let url else { throw ProgramFailure(program: name, package: package, reason: .missing) }
        return url
    }
}

/// What a program wrote, and how it ended.
package struct ProgramOutput: Sendable {
    package let standardOutput: Data
    /// At most the first 64 KiB.
    package let standardError: String
    package let status: Int32

    package init(standardOutput: Data, standardError: String, status: Int32) {
        self.standardOutput = standardOutput
        self.standardError = standardError
        self.status = status
    }

    package var text: String { String(decoding: standardOutput, as: UTF8.self) }
}

/// Why there is no output of a helper program.
package struct ProgramFailure: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    package enum Reason: Error, Equatable {
        case missing
        case notStarted(String)
        /// It ran for longer than the limit of time that passes.
        case timeLimit(Double)
        case outputLimit(Int)
        /// It ended by a signal: its own fault, or a limit of processor time or memory.
        case signal(Int32)
    }

    package let program: String
    package let package: String
    package let reason: Reason

    package init(program: String, package: String, reason: Reason) {
        self.program = program
        self.package = package
        self.reason = reason
    }

    package var isMissing: Bool { reason == .missing }

    package var description: String {
        switch reason {
        case .missing: "'\(program)' is not installed; 'apt-get install \(package)' installs it"
        case .notStarted(let cause): "'\(program)' cannot be started: \(cause)"
        case .timeLimit(let seconds): "'\(program)' was ended after \(seconds.formatted()) seconds"
        case .outputLimit(let bytes): "'\(program)' was ended because it wrote more than \(bytes) bytes"
        case .signal(let signal):
            "'\(program)' was ended by signal \(signal): a fault of its own, or the limit of memory or processor time"
        }
    }

    package var errorDescription: String? { description }
}
