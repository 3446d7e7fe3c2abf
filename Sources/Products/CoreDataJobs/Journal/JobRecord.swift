import Foundation

/// What a journal keeps of a job that can be resumed: a property list of this form, in XML.
public struct JobRecord: Sendable, Codable, Identifiable, Equatable {
    /// The version of the form.
    public static let currentVersion = 1

    /// The version of the form in which it was written.
    public internal(set) var version = Self.currentVersion
    /// The identifier, which is also the name of the file.
    public let id: UUID
    /// What kind of job it is: a name by which a program finds the work again.
    public let kind: String
    /// What the job does, for people.
    public let title: String
    /// What the work needs, such as paths. Passwords do not belong here.
    public let parameters: [String: String]
    /// When it was first noted.
    public let created: Date
    /// The units that were done when it was last noted.
    public internal(set) var completedUnitCount: Int64 = 0
    /// The units in all; 0 if the number was not known.
    public internal(set) var totalUnitCount: Int64 = 0
    /// The place where the work goes on, in a form of its own; nil if it has named none.
    public internal(set) var checkpoint: Data?
}
