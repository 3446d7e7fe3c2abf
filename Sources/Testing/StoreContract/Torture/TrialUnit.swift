/// A series of trials that one process after another makes: when one ends badly the next goes on behind that trial.
public struct TrialUnit: Sendable {
    /// What the trials are about, such as `flips of Books.sqlite`; each subject has its own counts.
    public let subject: String
    /// Which part of the subject the unit is; subject and part are a unit's name when a run is taken up again.
    public let part: String
    /// What the program of the trials is given; the number of the first trial follows.
    public let arguments: [String]

    /// Makes a unit.
    public init(_ subject: String, part: String = "", arguments: [String]) {
        (self.subject, self.part, self.arguments) = (subject, part, arguments)
    }

    /// What the unit is called in reports and in the record of a run.
    public var name: String { part.isEmpty ? subject : "\(subject), \(part)" }
}
