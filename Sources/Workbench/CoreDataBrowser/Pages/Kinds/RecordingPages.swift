import CoreData
import CoreDataPictures
import CoreDataRecordings
import Synchronization

/// `GET …/values/{name}/media`: what a sound or film has, and the outline of its sound in `?peaks=` parts.
struct MediaInformationPage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}/media")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let count = try call.number("peaks", default: 0, in: 0...2_000)
        return .json(
            try await call.withMedia { file in
                let media = try await MediaInformation(of: file)
                let peaks = count > 0 && media.hasSound ? try await Waveform(of: file, count: count).peaks : []
                return .object([
                    ("film", .bool(media.isFilm)), ("sound", .bool(media.hasSound)),
                    ("duration", .real(media.duration)),
                    ("width", .count(media.width)), ("height", .count(media.height)),
                    ("peaks", .array(peaks.map { .real(($0 * 1_000).rounded() / 1_000) })),
                ])
            })
    }
}

/// `GET …/values/{name}/poster?time=`: the picture of a film at a time in seconds, in PNG.
struct PosterPage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}/poster")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let time = call.query["time"].flatMap { Double($0) } ?? 0
        let picture = try await call.withMedia { file in
            try await Posters(accuracy: .exact).pictures(of: file, at: [time])[0].result.get()
        }
        return BrowserResponse(headers: ["Content-Type": "image/png"], body: BrowserBody(Array(picture)))
    }
}

/// `GET …/values/{name}/playable`: a sound or film in a form that browsers play, WebM or Ogg, for those in formats that they refuse.
struct PlayablePage: Page {
    let route = Route("GET /stores/{store}/objects/{entity}/{key}/values/{name}/playable")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        try await call.withMedia { file in
            let digest = ContentDigest(try Data(contentsOf: file, options: .mappedIfSafe))
            let form = try await PlayableForms.shared.form(of: digest) { try await Self.form(of: file) }
            return BrowserResponse(headers: ["Content-Type": form.type], body: BrowserBody(form.bytes))
        }
    }

    private static func form(of file: URL) async throws -> PlayableForms.Form {
        let isFilm = try await MediaInformation(of: file).isFilm
        let made = file.deletingLastPathComponent().appendingPathComponent("playable")
        try await MediaChanges.export(file, as: isFilm ? .webm : .ogg, in: made)
        return PlayableForms.Form(
            type: isFilm ? "video/webm" : "audio/ogg", bytes: Array(try Data(contentsOf: made)))
    }
}

/// `POST /recordings?form=`: a recording as it is stored: with a duration, a part of it, or in another form. The body is the recording.
///
/// Without `form` a recording of a browser gets a duration; with it, it is encoded again. `from` and `to` are the seconds of a part,
/// `longest` those after which it is cut.
struct RecordingPage: Page {
    let route = Route("POST /recordings")
    /// The most bytes of a recording.
    private static let limit = 256 << 20

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let type = call.request.headers["Content-Type"]?.lowercased() ?? ""
        // A form of another site can send a body only with one of the content types of forms, so another type is required.
        guard ["audio/", "video/", "application/octet-stream"].contains(where: { type.hasPrefix($0) }) else {
            throw BrowserFailure(415, code: "noMedia", reason: "the body is not of a type of sounds and films")
        }
        let form = try call.query["form"].map { name in
            guard let form = MediaChanges.Form(rawValue: name) else {
                throw BrowserFailure.badRequest("there is no form '\(PrintableText.escaped(name, limit: 40))'")
            }
            return form
        }
        let (from, to) = (call.query["from"].flatMap { Double($0) }, call.query["to"].flatMap { Double($0) })
        let bytes = try await call.request.body.bytes(limit: Self.limit)
        return try await MediaWork.inFolder { folder in
            let (file, made) = (folder.appendingPathComponent("given"), folder.appendingPathComponent("made"))
            try Data(bytes).write(to: file)
            if let from, let to, from < to {
                try await MediaChanges.trim(file, to: from..<to, as: form ?? .webm, in: made)
            } else if let form {
                try await MediaChanges.export(
                    file, as: form, longest: call.query["longest"].flatMap { Double($0) }, in: made)
            } else {
                try await MediaChanges.giveDuration(to: file, in: made)
            }
            return BrowserResponse(
                headers: ["Content-Type": "application/octet-stream"],
                body: BrowserBody(Array(try Data(contentsOf: made))))
        }
    }
}

extension PageCall {
    /// Calls a block with the value of the path as a file.
    fileprivate func withMedia<Result: Sendable>(_ body: (URL) async throws -> Result) async throws -> Result {
        let (name, key) = (objectName, parameters["name"] ?? "")
        let value = try await store.read(for: access) { try ValueBytes($0, name: name, key: key) }
        guard value.count <= MediaWork.limit else { throw BrowserFailure.tooLarge(MediaWork.limit) }
        return try await MediaWork.inFolder { folder in
            let file = folder.appendingPathComponent("value")
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw CocoaError(.fileWriteUnknown)
            }
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            for start in stride(from: 0, to: value.count, by: 1 << 20) {
                try handle.write(contentsOf: try await value.part(start..<min(start + (1 << 20), value.count)))
            }
            return try await body(file)
        }
    }
}

/// Bounds how many sounds and films are looked at and changed at once: each is a process with its files.
private enum MediaWork {
    /// The most bytes of a value that are looked at.
    static let limit = 512 << 20
    private static let most = 4
    private static let running = Mutex(0)

    /// Waits for its turn, for half a minute at most.
    static func inFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        var rounds = 0
        while !takesTurn() {
            rounds += 1
            guard rounds < 600 else {
                throw BrowserFailure(
                    503, code: "busy", reason: "too many sounds and films are worked on at once", hint: "try again")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        defer { running.withLock { $0 -= 1 } }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            return try await body(folder)
        } catch let error as RecordingError {
            let status = error.code == .missingTool ? 501 : error.code == .toolFailed ? 500 : 422
            throw BrowserFailure(status, code: "recording", reason: error.reason, hint: error.hint)
        }
    }

    private static func takesTurn() -> Bool {
        running.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
    }
}
