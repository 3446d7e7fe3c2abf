import CoreData
import CoreDataWorkbench

/// The report on models in sources that `coredata-port` prints.
struct ReadModelReport: Decodable, ProgramReport {
    /// A part of the sources that a model does not say.
    struct Finding: Decodable {
        let path: String
        /// Counted from 1; 0 for a finding about the complete file.
        let line: Int
        let column: Int
        let message: String
        /// Whether the model lacks a part of a class, rather than a remark about it.
        let isOmission: Bool

        /// `File.swift:3:14`, or the file alone.
        var place: String { line == 0 ? path : "\(path):\(line):\(column)" }
    }

    struct Version: Decodable {
        let name: String
        /// The model as the text of an `.xcdatamodel`.
        let document: String
        /// The places of entities, `Hero`, and properties, `Hero.name`; the file of the model under an empty name.
        let places: [String: ReadPortReport.Finding]
    }

    /// Why the program did nothing; nil if it did everything.
    let failure: String?
    /// The number of Swift sources that were read.
    let sources: Int
    /// The versions, oldest first.
    let versions: [Version]
    /// What a model does not have of the sources.
    let findings: [Finding]
    var omissions: Int { findings.count(where: \.isOmission) }
}
