import CoreDataBrowser
import ProgramKit

/// Opens an address with a code in the user's web browser.
///
/// Other users can see the arguments of programs, so the address is passed in a file that only this user can read.
package struct PersonalBrowser {
    private static let opener = "xdg-open"

    private let folder: URL

    /// - Throws: An error of the file system if the file cannot be written, and of starting the program.
    package init(opening address: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let page = """
            <!DOCTYPE html><meta charset="utf-8"><meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)"><title>coredata</title>
            """
        let made = FileManager.default.createFile(
            atPath: file.path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
        guard made, let program = Self.program else { return }
        let process = Process()
        process.executableURL = program
        process.arguments = [file.path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Whether there is a display for a web browser, and the program that opens one.
    package static var isThere: Bool {
        let variables = ProcessInfo.processInfo.environment
        return (variables["DISPLAY"] ?? variables["WAYLAND_DISPLAY"]) != nil && program != nil
    }

    /// Removes the file, when its code has been used or is no longer needed.
    package func end() { try? FileManager.default.removeItem(at: folder) }

    private var file: URL { folder.appendingPathComponent("open.html") }

    private static var program: URL? { ProgramSearch.find(opener) }
}
