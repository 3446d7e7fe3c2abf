import Foundation
import LockKit

/// What a picker reports: one of the two, once.
public protocol MPMediaPickerControllerDelegate: AnyObject, Sendable {
    /// Items were picked, at least one.
    func mediaPicker(
        _ mediaPicker: MPMediaPickerController, didPickMediaItems mediaItemCollection: MPMediaItemCollection)
    /// The picker was left without a choice.
    func mediaPickerDidCancel(_ mediaPicker: MPMediaPickerController)
}

extension MPMediaPickerControllerDelegate {
    /// Does nothing.
    public func mediaPicker(
        _ mediaPicker: MPMediaPickerController, didPickMediaItems mediaItemCollection: MPMediaItemCollection
    ) {}

    /// Does nothing.
    public func mediaPickerDidCancel(_ mediaPicker: MPMediaPickerController) {}
}

/// The choice of items of a library, without a view: what a view offers, and what it does with the answer.
///
/// A view shows ``items(matching:)`` below the ``prompt`` and calls ``pick(_:)`` or ``cancel()``, both of which close the picker. One item
/// is picked unless several are allowed. Safe on any thread; the delegate is called on the thread of the answer.
public final class MPMediaPickerController: Sendable {
    private struct State {
        weak var delegate: (any MPMediaPickerControllerDelegate)?
        var allowsPickingMultipleItems = false
        var prompt: String?
        var isClosed = false
    }

    /// The types of items that are offered; an item with any of them is.
    public let mediaTypes: MPMediaType
    private let library: MPMediaLibrary?
    private let state = Locked(State())

    /// A picker for some types of items.
    ///
    /// - Parameters:
    ///   - mediaTypes: A mask.
    ///   - library: The library; nil for the default one.
    public init(mediaTypes: MPMediaType = .any, library: MPMediaLibrary? = nil) {
        (self.mediaTypes, self.library) = (mediaTypes, library)
    }

    /// What the answer is reported to; not retained.
    public var delegate: (any MPMediaPickerControllerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Whether several items can be picked; false by default.
    public var allowsPickingMultipleItems: Bool {
        get { state.withLock { $0.allowsPickingMultipleItems } }
        set { state.withLock { $0.allowsPickingMultipleItems = newValue } }
    }

    /// A text above the items.
    public var prompt: String? {
        get { state.withLock { $0.prompt } }
        set { state.withLock { $0.prompt = newValue } }
    }

    /// Whether items were picked, or the picker was left.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// The items that are offered, by their titles.
    ///
    /// - Parameter text: A part of a title, in any case; nil or empty for all.
    /// - Throws: As `MPMediaQuery.items()`.
    public func items(matching text: String? = nil) throws -> [MPMediaItem] {
        let query = MPMediaQuery(library: library)
        if mediaTypes != .any {
            query.addFilterPredicate(
                MPMediaPropertyPredicate(value: mediaTypes, forProperty: MPMediaItemPropertyMediaType))
        }
        if let text, !text.isEmpty {
            query.addFilterPredicate(
                MPMediaPropertyPredicate(value: text, forProperty: MPMediaItemPropertyTitle, comparisonType: .contains))
        }
        return try query.items()
    }

    /// Picks items, in their order, and closes the picker. Does nothing when it is closed already.
    ///
    /// - Throws: ``MediaLibraryError`` of code `itemUnavailable` for no item, for several where one is picked, and for an item of another
    ///   type; the picker stays open.
    public func pick(_ items: [MPMediaItem]) throws {
        let delegate = try state.withLock { state -> (any MPMediaPickerControllerDelegate)? in
            guard !state.isClosed else { return nil }
            guard items.count == 1 || (state.allowsPickingMultipleItems && !items.isEmpty) else {
                throw MediaLibraryError(
                    .itemUnavailable,
                    "\(items.count) items were picked, where \(state.allowsPickingMultipleItems ? "at least one" : "one") is expected",
                    hint: "set allowsPickingMultipleItems for several, or cancel the picker for none")
            }
            if let other = items.first(where: { $0.mediaType.isDisjoint(with: mediaTypes) }) {
                throw MediaLibraryError(
                    .itemUnavailable, "'\(other.title ?? "")' is not of the types that are offered",
                    hint: "pick one of items(matching:)")
            }
            state.isClosed = true
            return state.delegate
        }
        delegate?.mediaPicker(self, didPickMediaItems: MPMediaItemCollection(items: items))
    }

    /// Closes the picker without a choice. Does nothing when it is closed already.
    public func cancel() {
        let delegate = state.withLock { state -> (any MPMediaPickerControllerDelegate)? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            return state.delegate
        }
        delegate?.mediaPickerDidCancel(self)
    }
}
