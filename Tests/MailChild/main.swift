// A process of its own for tests of mail: one that can be killed, whose memory is measured, or that finds no library.
import CoreDataMail
import Foundation

/// The largest size in memory that the process has had, in KiB.
func largestMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
}

/// Prints a line at once.
func say(_ words: Any...) {
    let line = words.map { "\($0)" }.joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

func message(attachment: URL?) throws -> MailMessage {
    var message = MailMessage(
        sender: try MailAddress("anne@example.org"), to: [try MailAddress("bob@example.com")], subject: "From a child")
    if let attachment { message.attachments = [try MailAttachment(contentsOf: attachment)] }
    return message
}

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "write":
    // write FILE: whether a message can be written, and the error.
    do {
        try message(attachment: nil).write(to: URL(fileURLWithPath: arguments[2]))
        say(MailMessage.canBeWritten)
    } catch { say(MailMessage.canBeWritten, error) }
case "send":
    // send FOLDER PORT ATTACHMENT: writes and sends a message, and prints the memory that it took.
    var server = SMTPServer(host: "127.0.0.1", port: Int(arguments[3]) ?? 0, security: .none)
    server.replyTimeout = 30
    let before = largestMemory()
    let file = try message(attachment: URL(fileURLWithPath: arguments[4]))
        .write(to: URL(fileURLWithPath: arguments[2]).appendingPathComponent("message.eml"))
    let delivery = try SMTPTransport(server).deliver(file)
    say(delivery.accepted.count, file.size, before, largestMemory())
case "drain":
    // drain FOLDER PORT: drains an outbox.
    let server = SMTPServer(host: "127.0.0.1", port: Int(arguments[3]) ?? 0, security: .none)
    let outbox = try Outbox(folder: URL(fileURLWithPath: arguments[2]), transport: SMTPTransport(server))
    say("open")
    let run = try outbox.drain()
    say(run.wasBusy ? "busy" : "sent \(run.sent.count)")
default: say("write, send or drain")
}
