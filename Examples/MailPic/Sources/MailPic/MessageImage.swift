import CoreDataMail
import Foundation

/// Takes a picture and shares it: by mail, as a message, or otherwise.
@MainActor
final class MessageImage {
    /// What goes with the picture.
    static let text = "I took a picture on my iPhone"
    /// What is said when sharing has ended; nil before.
    private(set) var confirmation: String?
    private let source: PictureSource
    private let environment: ShareEnvironment

    init(_ source: PictureSource, environment: ShareEnvironment) {
        (self.source, self.environment) = (source, environment)
    }

    /// What the button does: takes a picture, and then, when the first dialog is closed, opens the sheet of actions.
    ///
    /// - Returns: nil if the person took no picture.
    func go() async -> UIActivityViewController? {
        guard let picture = await source.picture() else { return nil }
        let sheet = UIActivityViewController(activityItems: [Self.text, picture], environment: environment)
        sheet.completionWithItemsHandler = { [weak self] type, isDone, _, error in
            let text =
                error.map { "Not shared: \($0.localizedDescription)" }
                ?? (isDone ? "Shared" : type == nil ? "Not shared" : "Canceled")
            Task { @MainActor in self?.confirmation = text }
        }
        return sheet
    }
}
