/// The file with the token that programs send in place of a session; it is made if it does not exist.
package enum TokenFile {
    /// The greatest size of the file in bytes, which exceeds any token; a larger file is refused.
    private static let greatestSize = 4096

    /// The token, and a warning if other users can read its file.
    ///
    /// A file that is made has 43 random characters in its first line, and only its owner may read it.
    ///
    /// - Throws: `BrowserFailure`, with the path, where the file cannot be read or made, or its first line is not a
    ///   token of at least 16 visible ASCII characters.
    package static func token(at file: URL) throws -> (token: String, warning: String?) {
        // Container systems provide secrets as symbolic links.
        let file = file.resolvingSymlinksInPath()
        do {
            guard let bytes = try StateFile.bytes(of: file, limit: greatestSize) else {
                let token = Secret.random()
                try StateFile.write(Array("\(token)\n".utf8), to: file)
                return (token, nil)
            }
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int ?? 0
            let warning = "other users may read the token in '\(file.path)': chmod 600 keeps it yours"
            return (try token(in: bytes, file), mode & 0o077 == 0 ? nil : warning)
        } catch let failure as BrowserFailure {
            throw BrowserFailure(
                failure.status, code: "noToken", reason: failure.reason,
                hint:
                    "name a file whose first line is a token, or one that is not there yet in a folder that can be written"
            )
        }
    }

    private static func token(in bytes: [UInt8], _ file: URL) throws -> String {
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first
        let token = line.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        guard token.utf8.count >= 16, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw StateFolder.failure(file, "its first line is not a token of at least 16 characters without blanks")
        }
        return token
    }
}
