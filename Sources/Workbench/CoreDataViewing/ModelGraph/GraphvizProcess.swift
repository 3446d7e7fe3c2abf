import CoreData
import ProgramKit

/// Runs Graphviz's program `dot`, which arranges drawings.
enum GraphvizProcess {
    private static let program = HelperProgram("dot", package: "graphviz")
    private static let limits = ProgramLimits(seconds: 120, processorSeconds: 120)

    static func failure(_ cause: String) -> InspectionError {
        InspectionError(.unreadable, subject: "dot", cause: cause, hint: "write a .dot file, which needs no layout")
    }

    /// Runs `dot` on a text and returns its output.
    ///
    /// - Throws: `InspectionError` if it is missing, fails, or takes too long.
    static func run(_ arguments: [String], input: String) throws -> Data {
        do {
            let output = try program.run(arguments, input: Data(input.utf8), limits: limits)
            guard output.status == 0 else { throw failure("it failed or took too long") }
            return output.standardOutput
        } catch let missing as ProgramFailure where missing.isMissing {
            throw InspectionError(
                .unreadable, subject: "dot", cause: "Graphviz, which arranges the drawing, is not installed",
                hint: "'apt-get install graphviz' installs it; a .dot file can be written without it")
        } catch is ProgramFailure {
            throw failure("it failed or took too long")
        }
    }
}
