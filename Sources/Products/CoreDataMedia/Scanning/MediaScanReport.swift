import Foundation

/// What a scan has found and done.
public struct MediaScanReport: Sendable, Codable, Hashable {
    /// A file that could not be read as what its name says.
    public struct Problem: Sendable, Codable, Hashable {
        /// Relative to the folder; bytes that are not UTF-8 are replacement characters.
        public let path: String
        /// What is wrong with it, for people.
        public let reason: String
    }

    /// The files that may be media or playlists.
    public internal(set) var files = 0
    /// Files as they were at the last scan, which were not opened.
    public internal(set) var unchanged = 0
    /// New items.
    public internal(set) var added = 0
    /// Items whose files have other contents or tags.
    public internal(set) var changed = 0
    /// Items whose files were found at another path.
    public internal(set) var moved = 0
    /// Items whose files are not there any more; their rows stay.
    public internal(set) var vanished = 0
    /// Items whose files are there again.
    public internal(set) var returned = 0
    /// Playlist files that were read.
    public internal(set) var playlists = 0
    /// The first of the problems; `problemCount` counts all.
    public internal(set) var problems: [Problem] = []
    /// How many files could not be read.
    public internal(set) var problemCount = 0
    /// Debian's packages of programs that were missing, without which less is known of the files.
    public internal(set) var missingPackages: [String] = []
    /// How long it took.
    public internal(set) var seconds = 0.0

    static let greatestProblems = 1_000

    mutating func add(_ path: BytePath, _ reason: String) {
        problemCount += 1
        if problems.count < Self.greatestProblems { problems.append(Problem(path: path.text, reason: reason)) }
    }

    /// Whether the scan has changed the library.
    public var hasChanges: Bool { added + changed + moved + vanished + returned + playlists > 0 }
}
