import CoreDataMail
import Foundation

/// Takes a picture and sends it by mail.
@MainActor
final class MailPic {
    /// What the label says of the last message; nil before the first.
    private(set) var label: String?
    private(set) var picture: Data?
    private let source: PictureSource
    private let account: MailAccount?

    init(_ source: PictureSource, account: MailAccount?) { (self.source, self.account) = (source, account) }

    /// What the button does: takes a picture, and then begins a message with it. The dialog is for the person to send, to save or to
    /// cancel.
    ///
    /// - Returns: nil if the person took no picture, or mail cannot be sent.
    func go() async -> MFMailComposeViewController? {
        guard let taken = await source.picture() else { return nil }
        picture = taken
        guard let account, account.canSend else {
            label = "Can't send e-mail"
            return nil
        }
        let dialog = MFMailComposeViewController(account: account)
        dialog.setSubject("Here's a picture...")
        dialog.setMessageBody("", isHTML: false)
        dialog.addAttachmentData(taken, mimeType: "image/png", fileName: "image")
        return dialog
    }

    /// Waits for the end of a dialog, and says it.
    func finish(_ dialog: MFMailComposeViewController) async {
        label =
            switch await dialog.outcome.result {
            case .cancelled: "Canceled"
            case .saved: "Saved to send later"
            case .sent: "Mail sent"
            case .failed: "Send failed"
            }
    }
}
