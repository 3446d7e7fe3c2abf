import CoreDataMedia

/// A player of what a person chooses: the first choice starts, later ones come after it without a gap.
final class SimplePlayer {
    /// What is shown while there is no music.
    static let invitation = "Tap + to Add More Music"

    let library: MPMediaLibrary
    let controller: MPMusicPlayerController

    /// A player over a library; the clock is that of the system unless another is given.
    init(_ library: MPMediaLibrary, clock: (@Sendable () -> Double)? = nil) {
        self.library = library
        controller = MPMusicPlayerController(library: library, clock: clock)
    }

    /// What the label says.
    var status: String {
        switch controller.playbackState {
        case .playing: "Playing"
        case .paused, .interrupted: "Paused"
        case .stopped: "Stopped"
        case .seekingForward: "Fast Forward"
        case .seekingBackward: "Rewind"
        }
    }

    /// Title and artist of the current item, or the invitation.
    var title: String {
        guard let item = controller.nowPlayingItem else { return Self.invitation }
        return [item.title, item.artist].compactMap { $0 }.joined(separator: ", ")
    }

    /// Takes what was chosen.
    func add(_ collection: MPMediaItemCollection) {
        guard collection.count > 0 else { return }
        guard controller.player.entries.isEmpty else { return controller.append(collection) }
        controller.setQueue(with: collection)
        controller.play()
    }

    /// Adds the songs whose titles have a text in them; an empty text finds nothing.
    ///
    /// - Returns: How many were added.
    func search(_ text: String) throws -> Int {
        guard !text.isEmpty else { return 0 }
        let query = MPMediaQuery.songs(in: library)
        query.addFilterPredicate(
            MPMediaPropertyPredicate(value: text, forProperty: MPMediaItemPropertyTitle, comparisonType: .contains))
        let items = try query.items()
        add(MPMediaItemCollection(items: items))
        return items.count
    }

    /// Goes to the item before; the first one begins again.
    func rewind() {
        if controller.indexOfNowPlayingItem == 0 {
            controller.skipToBeginning()
        } else {
            controller.skipToPreviousItem()
        }
    }

    /// Takes an item out of the queue; if it is the current one, the next begins.
    func remove(_ place: Int) { controller.edit { $0.remove(place, at: $1) } }
}
