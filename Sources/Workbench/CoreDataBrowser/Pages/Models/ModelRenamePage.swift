import CoreData
import CoreDataModelEditing

/// `POST /models/{model}/rename`: renames an entity or a property in the model's file, and in the folders of code and
/// property lists with which the program was started; all files are written or none.
///
/// With `dryRun` nothing is written, and the answer is the difference with its digest. The request that writes has this
/// digest as `seen`, and fails if a file has changed since.
struct ModelRenamePage: Page {
    let route = Route("POST /models/{model}/rename")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let model = try call.model
        try model.requireEditing()
        guard !model.following.isEmpty else {
            throw BrowserFailure(
                409, code: "noFolder", reason: "no folder of code or of property lists was named",
                hint: "start with --code FOLDER or --lists FOLDER, or rename in the model alone")
        }
        let body = JSONParts(try await call.json())
        let (item, name) = (try SourceItem(try body.text("item")), try body.text("to"))
        let keepsIdentity = try body.flag("keepsIdentity")
        let (version, revision) = (try body.optionalText("version"), try body.number("revision"))
        let seen = try body.flag("dryRun") ? nil : body.text("seen")
        return .json(
            try await BrowsedStore.onOwnThread {
                try model.with(version) { state, version in
                    let rename = try FollowedRename(
                        item, to: name, keepsIdentity: keepsIdentity, in: state, version: version,
                        folders: model.following)
                    guard let seen else {
                        return .object(rename.outcome.members + [("digest", .string(rename.digest))])
                    }
                    state = try rename.write(seen: seen)
                    return try model.report(state, version: version, revision: revision, notes: rename.outcome.notes)
                }
            })
    }
}
