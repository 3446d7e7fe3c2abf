import CoreDataMail
import Foundation

/// The command line of MailPic: sends a picture to a mailbox that only records.
@main
struct Program {
    @MainActor
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.count == 1 else {
            FileHandle.standardError.write(Data("usage: mailpic PICTURE\n".utf8))
            exit(1)
        }
        let mailbox = RecordingTransport()
        guard let sender = try? MailAddress("me@example.org") else { exit(1) }
        let app = MailPic(
            PictureSource { try? Data(contentsOf: URL(fileURLWithPath: path)) },
            account: MailAccount(sender: sender, transport: mailbox))
        if let dialog = await app.go() {
            dialog.setToRecipients(["ann@example.org"])
            dialog.send()
            await app.finish(dialog)
        }
        print(app.label ?? "No picture")
        for record in mailbox.records {
            print("\(record.data.count) bytes to \(record.recipients.joined(separator: ", "))")
        }
    }
}
