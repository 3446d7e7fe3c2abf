import CoreDataGraph
import LockKit

/// Something that can be done with shared items: the base of Apple's class of this name, without views.
///
/// A program's own actions override the members below. A sheet calls `canPerform`, and for the action that a person chooses `prepare` and
/// `perform`, all on the sheet's thread; `perform` must lead to one call of ``activityDidFinish(_:)``, on any thread.
open class UIActivity: @unchecked Sendable {
    /// The identifier of an action.
    public struct ActivityType: RawRepresentable, Hashable, Sendable {
        /// The identifier.
        public let rawValue: String

        /// An action by its identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Writes mail.
        public static let mail = ActivityType(rawValue: "com.apple.UIKit.activity.Mail")
        /// Writes a text message.
        public static let message = ActivityType(rawValue: "com.apple.UIKit.activity.Message")
        /// Copies.
        public static let copyToPasteboard = ActivityType(rawValue: "com.apple.UIKit.activity.CopyToPasteboard")
        /// Prints.
        public static let print = ActivityType(rawValue: "com.apple.UIKit.activity.Print")
        /// Saves files. Not among Apple's constants.
        public static let saveToFiles = ActivityType(rawValue: "opencoredata.activity.SaveToFiles")
        /// Gives objects as JSON. Not among Apple's constants.
        public static let json = ActivityType(rawValue: "opencoredata.activity.JSON")
        /// Gives persons as cards. Not among Apple's constants.
        public static let vCard = ActivityType(rawValue: "opencoredata.activity.VCard")
        /// Gives events as a calendar. Not among Apple's constants.
        public static let calendar = ActivityType(rawValue: "opencoredata.activity.Calendar")

        /// Posts to a registered service. Not among Apple's constants.
        public static func post(_ serviceType: String) -> ActivityType { ActivityType(rawValue: serviceType) }
    }

    /// Where a sheet shows an action.
    public enum Category: Int, Sendable {
        /// Does something here.
        case action = 0
        /// Sends something elsewhere.
        case share = 1
    }

    /// The end, which a dialog of the action keeps too, so that it comes whichever of the two is released first.
    final let ending = ActivityEnding()

    /// An action.
    public init() {}

    /// Where a sheet shows it.
    open var category: Category { .action }
    /// The identifier; nil for an action that nothing excludes.
    open var activityType: ActivityType? { nil }
    /// What people call it.
    open var activityTitle: String? { nil }
    /// Whether it can do something with items; false by default.
    open func canPerform(withActivityItems activityItems: [Any]) -> Bool { false }
    /// Takes the items; those of an item source are the ones for this action.
    open func prepare(withActivityItems activityItems: [Any]) {}
    /// A dialog, which the program shows, and whose end ends the action; nil for an action without.
    open var activityViewController: AnyObject? { nil }
    /// Does it; not called where there is a dialog. Ends at once by default.
    open func perform() { activityDidFinish(true) }

    /// Ends the action, once; further calls have no effect.
    public final func activityDidFinish(_ completed: Bool) { activityDidFinish(completed, returning: nil, error: nil) }

    /// Ends the action, with what it made, or why it failed. Not in Apple's class.
    public final func activityDidFinish(_ completed: Bool, returning items: [Any]?, error: (any Error)?) {
        ending.end(completed, items, error)
    }
}

/// The end of an action, which comes once for each time that it is done.
final class ActivityEnding: Sendable {
    private let handler = Locked<(@Sendable (Bool, [Any]?, (any Error)?) -> Void)?>(nil)

    /// Sets what is called at the next end.
    func set(_ new: @escaping @Sendable (Bool, [Any]?, (any Error)?) -> Void) { handler.withLock { $0 = new } }

    func end(_ completed: Bool, _ items: [Any]?, _ error: (any Error)?) {
        let call = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        call?(completed, items, error)
    }
}

/// An item that may be another one for each action.
public protocol UIActivityItemSource {
    /// An item of the kind that will be shared, by which actions are chosen.
    func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any
    /// The item for an action; nil leaves it out.
    func activityViewController(
        _ activityViewController: UIActivityViewController, itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any?
    /// The subject, for actions that have one.
    func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String
}

extension UIActivityItemSource {
    /// None.
    public func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String { "" }
}
