import CoreData
import ProgramKit
import SQLiteKit

/// Checks whether this machine has the libraries, programs, settings and files that the tool uses besides its own.
package struct MachineCheck: Sendable {
    /// The result of one check.
    package enum State: String, Sendable {
        case good
        /// Some commands do not work, or work less well.
        case missing
        /// Stores may not be read or written as they should be.
        case wrong
    }

    /// One check of the machine, with its result.
    package struct Item: Sendable {
        package let name: String
        package let state: State
        /// What was found.
        package let text: String
        /// What to do; nil where nothing has to be done.
        package let cure: String?
    }

    private let environment: [String: String]
    private let home: URL

    /// - Parameters:
    ///   - environment: the variables of the process.
    ///   - home: the folder of the user.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL = FileManager.default.homeDirectoryForCurrentUser
    ) {
        self.environment = environment
        self.home = home
    }

    /// Runs all checks; the items begin with those that matter most.
    package var items: [Item] {
        [database, temporaryFolder, timeZones, encoding, openFiles] + programs + [passwordFile, rootCertificate]
    }

    // MARK: What every command needs

    private var database: Item {
        let version = Connection.libraryVersion
        // The SQL of SQLite stores (`SQLDialect.sqlite`) needs SQLite 3.39 or newer.
        guard version >= 3_039_000 else {
            return Item(
                name: "SQLite", state: .wrong, text: "version \(Self.dotted(version)) is too old",
                cure: "install version 3.39 or newer (libsqlite3-0)")
        }
        return Item(name: "SQLite", state: .good, text: "version \(Self.dotted(version))", cure: nil)
    }

    private static func dotted(_ version: Int) -> String {
        "\(version / 1_000_000).\(version / 1_000 % 1_000).\(version % 1_000)"
    }

    private var temporaryFolder: Item {
        let folder = environment["TMPDIR"] ?? "/tmp"
        let name = "temporary folder"
        guard access(folder, W_OK | X_OK) == 0 else {
            return Item(
                name: name, state: .wrong, text: "nothing can be written to '\(folder)'",
                cure: "set TMPDIR to a folder that you may write to")
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value, free < 256 << 20 else {
            return Item(name: name, state: .good, text: folder, cure: nil)
        }
        return Item(
            name: name, state: .missing, text: "'\(folder)' has \(free >> 20) MiB left",
            cure: "set TMPDIR to a folder with more room: comparing and importing need it")
    }

    private var timeZones: Item {
        // Foundation reads time zones from the files of tzdata; without them, UTC is the only zone that it finds.
        guard TimeZone(identifier: "Europe/Berlin") != nil else {
            return Item(
                name: "time zones", state: .missing, text: "only UTC is known",
                cure: "'apt-get install tzdata' installs them")
        }
        return Item(
            name: "time zones", state: .good, text: "\(TimeZone.current.identifier) is this machine's", cure: nil)
    }

    private var encoding: Item {
        let value = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUnicode = value.lowercased().replacing("-", with: "").contains("utf8")
        return isUnicode
            ? Item(name: "terminal", state: .good, text: value, cure: nil)
            : Item(
                name: "terminal", state: .missing, text: "no UTF-8 is set\(value.isEmpty ? "" : " (\(value))")",
                cure: "'export LANG=C.UTF-8', so that other programs show texts as they are printed")
    }

    private var openFiles: Item {
        var limit = rlimit()
        getrlimit(.init(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur < 256 else {
            let text = limit.rlim_cur == rlim_t.max ? "no limit" : "\(limit.rlim_cur)"
            return Item(name: "open files", state: .good, text: text, cure: nil)
        }
        return Item(
            name: "open files", state: .wrong, text: "no more than \(limit.rlim_cur) at once",
            cure: "'ulimit -n 1024': a server's browser needs one for each page")
    }

    // MARK: Programs that some commands run

    private var programs: [Item] {
        [
            program("dot", use: "draws models ('model graph')", cure: "'apt-get install graphviz' installs it"),
            program(
                "coredata-port", use: "rewrites sources ('port')",
                cure: "'swift build --product coredata-port' in OpenCoreData's sources builds it"),
            program("swift", use: "builds packages with models ('init')", cure: "https://www.swift.org/install has it"),
            program(
                "xdg-open", use: "opens the web browser ('browse')", cure: "'apt-get install xdg-utils' installs it"),
            program(
                "llvm-symbolizer", use: "names the places of calls ('instruments')",
                cure: "'apt-get install llvm' installs it"),
        ]
    }

    private func program(_ name: String, use: String, cure: String) -> Item {
        let folders = ProgramSearch.folders(in: environment["PATH"] ?? "") + ProgramSearch.ownFolders
        guard let url = ProgramSearch.find(name, in: folders) else {
            return Item(name: name, state: .missing, text: "\(use): it is not there", cure: cure)
        }
        return Item(name: name, state: .good, text: url.path, cure: nil)
    }

    // MARK: Stores on PostgreSQL

    private var passwordFile: Item {
        let url = environment["PGPASSFILE"].map { URL(fileURLWithPath: $0) } ?? home.appendingPathComponent(".pgpass")
        let name = "passwords"
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else {
            return Item(name: name, state: .good, text: "none are kept for PostgreSQL", cure: nil)
        }
        let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard permissions & 0o077 == 0 else {
            return Item(
                name: name, state: .wrong, text: "'\(url.path)' is ignored, since others may read it",
                cure: "'chmod 600 \(url.path)'")
        }
        return Item(name: name, state: .good, text: url.path, cure: nil)
    }

    private var rootCertificate: Item {
        let own = home.appendingPathComponent(".postgresql/root.crt")
        let url = environment["PGSSLROOTCERT"].map { URL(fileURLWithPath: $0) } ?? own
        guard !FileManager.default.isReadableFile(atPath: url.path) else {
            return Item(name: "certificate", state: .good, text: url.path, cure: nil)
        }
        return Item(
            name: "certificate", state: .missing,
            text: "there is no '\(url.path)' to know PostgreSQL servers elsewhere by",
            cure: "put the certificate there that signed the server's, or name it: 'sslrootcert=' in the URL")
    }
}
