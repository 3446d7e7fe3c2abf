import CoreDataExchange
import CoreDataJobs
import CoreDataWorkbench
import Foundation

extension Arguments {
    /// How requests are sent: signed where `--account` names an account.
    ///
    /// - Throws: `InspectionError` for an account that is not there.
    func webAccess() throws -> WebAccess {
        var access = WebAccess()
        if let name = self["account"] { access.session = try SignedSession(name) }
        return access
    }

    /// A file of this machine, or one that is downloaded while the progress is shown.
    func fetched(_ place: String) throws -> ImportFile {
        guard let file = try fetched(place, unless: nil) else {
            throw InspectionError(.unreadable, subject: place, cause: "the server sends nothing")
        }
        return file
    }

    /// As `fetched(_:)`; nil where a URL has no other version than the known one.
    func fetched(_ place: String, unless known: WebVersion?) throws -> ImportFile? {
        guard let url = ImportFile.webURL(place) else { return ImportFile(place) }
        return try progress("downloading").showing { line in
            var access = try webAccess()
            access.onProgress = { received, all in line.update(Int64(received), of: all.map { Int64($0) }) }
            return try ImportFile.fetched(url, by: access, unless: known)
        }
    }
}
