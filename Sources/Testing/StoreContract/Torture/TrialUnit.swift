/// A series of trials run by one process at a time: if a trial ends the process, a new one continues after it.
public struct TrialUnit: Sendable {
    /// What the trials are about, such as `flips of Books.sqlite`; each subject has its own counts.
    public let subject: String
    /// The part of the subject; subject and part identify the unit when a run is resumed.
    public let part: String
    /// The arguments of the trial program; the runner appends the number of the first trial.
    public let arguments: [String]

    /// Makes a unit.
    public init(_ subject: String, part: String = "", arguments: [String]) {
        (self.subject, self.part, self.arguments) = (subject, part, arguments)
    }

    /// What the unit is called in reports and in the record of a run.
    public var name: String { part.isEmpty ? subject : "\(subject), \(part)" }
}
