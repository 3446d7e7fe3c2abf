import CoreData

/// A running process that can be recorded: it has a socket in the instruments folder of this user.
package struct InstrumentedProcess: Sendable, Equatable {
    package let number: Int32
    package let name: String

    /// Returns the running processes that can be recorded; removes the sockets that ended processes have left.
    ///
    /// - Throws: `InspectionError` if `XDG_RUNTIME_DIR` is not set.
    package static func all() throws -> [InstrumentedProcess] {
        let folder = try folder()
        return InstrumentFolder.processes(in: folder).compactMap { number in
            guard kill(number, 0) == 0 else {
                if errno == ESRCH { unlink(InstrumentFolder.socket(of: number, in: folder).path) }
                return nil
            }
            return InstrumentedProcess(number: number, name: name(of: number))
        }
    }

    static func folder() throws -> URL {
        guard let folder = InstrumentFolder.url else {
            throw InspectionError(
                .unreadable, subject: "instruments",
                cause:
                    "XDG_RUNTIME_DIR is not set, the environment variable that names the folder for the sockets through which "
                    + "programs are recorded",
                hint:
                    "set it to the same folder for this command and for the program, such as /run/user/\(getuid()), "
                    + "or open a trace file"
            )
        }
        return folder
    }

    /// The system's name of the process; empty if the system does not report it.
    private static func name(of number: Int32) -> String {
        let text = (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) ?? ""
        return PrintableText.escaped(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
