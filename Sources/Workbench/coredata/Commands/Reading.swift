import CoreDataWorkbench

extension Option {
    /// The options that take JSON.
    static let json = [
        Option("json", value: "TEXT", help: "Keys and values as JSON."),
        Option("json-file", value: "PATH", help: "A file with JSON; '-' is standard input."),
    ]
}

extension Arguments {
    /// The objects of `--json` or `--json-file`; nil if neither is given.
    ///
    /// - Throws: `UsageError` if both are given; `InspectionError` for invalid JSON and a file that cannot be read.
    func objects() throws -> [ObjectInput]? {
        guard !has("json") || !has("json-file") else { throw error("--json and --json-file contradict each other") }
        if let text = self["json"] { return try ObjectInput.list(Array(text.utf8), of: "--json") }
        guard let path = self["json-file"] else { return nil }
        let name = path == "-" ? "standard input" : path
        return try ObjectInput.list(InputFile.bytes(path), of: PrintableText.escaped(name, limit: 200))
    }
}

/// Reads complete files, up to a size limit.
enum InputFile {
    /// The greatest size in bytes; larger input should be inserted in parts.
    private static let limit = 256 << 20

    /// The bytes of a file, or of standard input for `-`.
    ///
    /// - Throws: `InspectionError` of code `unreadable`.
    static func bytes(_ path: String) throws -> [UInt8] {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor > STDIN_FILENO { close(descriptor) } }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = descriptor < 0 ? -1 : read(descriptor, &block, block.count)
            if count == 0 { return bytes }
            if count < 0, descriptor >= 0, errno == EINTR { continue }
            guard count > 0 else {
                throw InspectionError(
                    .unreadable, subject: name, cause: "it cannot be read: \(String(cString: strerror(errno)))")
            }
            bytes += block[..<count]
            guard bytes.count <= limit else {
                throw InspectionError(
                    .unreadable, subject: name, cause: "it has more than \(limit >> 20) megabytes",
                    hint: "give it in parts")
            }
        }
    }
}
