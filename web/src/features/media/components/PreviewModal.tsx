import { Drawer, Modal } from '@mantine/core';
import { useState } from 'react';
import type { PreviewProps } from '@/shared/conference/preview';
import { useT } from '@/shared/i18n';
import { IconAction } from '@/shared/ui/IconAction';
import { useComparison } from '../hooks/use-comparison';
import { galleryOrder, type ShownItem } from '../model';
import { Facts } from './Facts';
import { Viewer } from './Viewer';
import viewer from './Viewer.module.css';

/** One file over the whole window: arrows, swipe and zoom; Esc closes; its facts slide in from the right. */
export function PreviewModal({ items, openId, onOpen, onClose }: PreviewProps) {
  const t = useT();
  const [facts, setFacts] = useState(false);
  const comparison = useComparison();
  const ordered = galleryOrder(items) as ShownItem[];
  const item = ordered.find((one) => one._id === openId) ?? null;
  return (
    <>
      <Modal.Root opened={item !== null} onClose={onClose} fullScreen closeOnEscape={!facts && !comparison.on}>
        <Modal.Content aria-label={t('media.preview')} radius={0} bd="0">
          <Modal.Body p={0} h="100dvh">
            {item && (
              <Viewer
                items={ordered}
                item={item}
                onItem={onOpen}
                keys={!facts}
                comparison={comparison}
                tools={
                  <>
                    <IconAction
                      className={viewer.tool}
                      icon="info"
                      label={t('media.facts')}
                      onClick={() => setFacts(true)}
                    />
                    <IconAction className={viewer.tool} icon="x" label={t('common.close')} onClick={onClose} />
                  </>
                }
              />
            )}
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
      <Drawer
        opened={facts && item !== null}
        onClose={() => setFacts(false)}
        position="right"
        size={340}
        styles={{ content: { background: 'var(--at-s1)' }, header: { background: 'var(--at-s1)' } }}
        title={t('media.facts')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
        transitionProps={{ duration: 280 }}
        zIndex={300}
      >
        {item && <Facts item={item} items={ordered} plain />}
      </Drawer>
    </>
  );
}
