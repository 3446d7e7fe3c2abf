import CoreData

/// The memory of processes, as the system counts it.
enum ProcessMemory {
    /// The memory that this process has in use, in bytes.
    static func resident() throws -> Int { try status("VmRSS", of: "self") }

    /// The most memory that a process has had in use at once, in bytes; this process unless another is named.
    static func peak(of process: String = "self") throws -> Int { try status("VmHWM", of: process) }

    /// Lets the peak of this process begin again at what is in use now.
    static func resetPeak() { try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs")) }

    /// The memory that the system can give to processes, in bytes.
    static func available() throws -> Int { try kibibytes("MemAvailable", in: "/proc/meminfo") }

    private static func status(_ name: String, of process: String) throws -> Int {
        try kibibytes(name, in: "/proc/\(process)/status")
    }

    private static func kibibytes(_ name: String, in file: String) throws -> Int {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let number = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
            throw Failure("the system does not say \(name) in \(file)")
        }
        return number << 10
    }
}
