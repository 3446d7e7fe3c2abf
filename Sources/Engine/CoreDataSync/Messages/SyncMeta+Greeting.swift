extension SyncMeta {
    /// What the peer says of itself.
    func greeting(wantsAnswer: Bool) -> Greeting {
        guard let rebase else {
            return Greeting(
                sender: identity, applied: applied, digests: digests, floor: floor, wantsAnswer: wantsAnswer)
        }
        return Greeting(
            sender: nextIdentity, former: rebase.former, applied: VersionVector(), wantsAnswer: wantsAnswer)
    }
}
